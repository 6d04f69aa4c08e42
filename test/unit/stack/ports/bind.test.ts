import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { hostsOf } from '../../../../src/stack/ports/bind.js';
import {
  chainConfig,
  nodeConfig,
  peerEndpoint,
  storeConfig,
  urlOf,
} from '../../../../src/stack/running/node-config.js';
import { portsFrom } from '../../../../src/stack/ports/ports.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

const ports = portsFrom(16_000, ['alice', 'bob']);

function bound(bind: string, ...more: readonly string[]) {
  const settings = someSettings(`bind: "${bind}"`, 'auth: {enabled: true}', ...more);
  const layout = aLayout(aPlace());
  const [party] = settings.parties;
  if (party === undefined) throw new Error('A stack has parties');
  const genesis = { genesisTime: '', chainId: 1, accounts: [] };
  return {
    settings,
    node: nodeConfig(layout, settings, party, ports),
    chain: chainConfig(layout, settings, Object(genesis), ports),
    store: storeConfig(layout, settings, ports),
  };
}

describe('A stack that is bound to another address', () => {
  test.each([
    ['192.168.1.5', 'http://192.168.1.5:16010'],
    ['0.0.0.0', 'http://127.0.0.1:16010'],
    ['::', 'http://[::1]:16010'],
    ['fd00::1', 'http://[fd00::1]:16010'],
    ['box.lan', 'http://box.lan:16010'],
  ])('has its nodes on %s, reached at %s, and all else on loopback', (bind, url) => {
    const { settings, node, chain, store } = bound(bind);
    expect(node).toMatchObject({ host: bind, peer: { host: '127.0.0.1' }, chain: { url: 'http://127.0.0.1:16000' } });
    expect([chain, store]).toMatchObject([{ host: '127.0.0.1' }, { host: '127.0.0.1' }]);
    expect(urlOf(settings, 'alice', ports.parties['alice'])).toBe(url);
    expect(urlOf(settings, 'store', ports.store)).toBe('http://127.0.0.1:16001');
    expect(peerEndpoint(settings, 'alice', ports)).toBe('https://127.0.0.1:16050');
  });

  test('listens for peers at the address that it advertises', () => {
    const { settings, node, chain } = bound('0.0.0.0', 'advertise: box.lan');
    const peer = { host: '0.0.0.0', port: 16_050, advertise: 'https://box.lan:16050' };
    expect(node).toMatchObject({ host: '0.0.0.0', peer, hosts: expect.arrayContaining(['box.lan']) });
    expect(chain).toMatchObject({ host: '127.0.0.1', hosts: ['box.lan'] });
    expect(peerEndpoint(settings, 'alice', ports)).toBe('https://box.lan:16050');
  });

  test('opens chain and store to a trusted network, without a token', () => {
    const { settings, node, chain, store } = bound('192.168.1.5', 'trustedNetwork: true');
    for (const config of [chain, store]) expect(config).toMatchObject({ host: '192.168.1.5', trustedNetwork: true });
    expect(chain).toMatchObject({ tokenFile: undefined });
    expect(node).toMatchObject({ chain: { url: 'http://192.168.1.5:16000' }, auth: expect.anything() });
    expect(urlOf(settings, 'store', ports.store)).toBe('http://192.168.1.5:16001');
  });

  test.each(['advertise: box.lan', 'trustedNetwork: true'])('refuses %s if it is bound to loopback', (line) => {
    expect(() => someSettings(line)).toThrow(/which cannot reach bind 127\.0\.0\.1/);
  });

  test('answers by each address of the machine if it is bound to all of them', () => {
    expect(hostsOf(bound('192.168.1.5').settings)).toEqual([]);
    const outside = Object.values(networkInterfaces()).flatMap(
      (each) => each?.filter(({ internal }) => !internal) ?? [],
    );
    const ipv4 = outside.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
    expect(hostsOf(bound('0.0.0.0').settings)).toEqual(ipv4);
    const all = hostsOf(bound('::').settings);
    expect(all).toHaveLength(outside.length);
    expect(all).toEqual(expect.arrayContaining(ipv4));
    for (const host of all) expect(host).toMatch(/^(?:[\d.]+|\[[0-9a-f:]+\])$/);
  });

  test('answers by the names that its definition lists, at every listener', () => {
    const settings = someSettings('hosts: [host.docker.internal, Box]');
    expect(hostsOf(settings)).toEqual(['host.docker.internal', 'box']);
    const [party] = settings.parties;
    const layout = aLayout(aPlace());
    const genesis = { genesisTime: '', chainId: 1, accounts: [] };
    const all = [
      party && nodeConfig(layout, settings, party, ports),
      chainConfig(layout, settings, genesis, ports),
      storeConfig(layout, settings, ports),
    ];
    for (const config of all) expect(config).toMatchObject({ hosts: ['host.docker.internal', 'box'] });
  });

  test.each(['127.0.0.1', '::1', 'localhost'])('is completely on %s, which is loopback', (bind) => {
    const { settings, node, chain } = bound(bind);
    expect([node, chain]).toMatchObject([{ host: bind, peer: { host: bind }, hosts: [] }, { host: bind }]);
    expect(urlOf(settings, 'chain', 16_000)).toBe(urlOf(settings, 'alice', 16_000));
  });
});

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Type } from '@sinclair/typebox';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Place } from '../../../../src/stack/layout.js';
import { type PortClaims, withPortClaims } from '../../../../src/stack/ports/claims.js';
import { checkPorts, addPorts, assignPorts, portsFrom, requireNewPort } from '../../../../src/stack/ports/ports.js';
import { isFree } from '../../../../src/stack/ports/free-port.js';
import { readJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { changeRegistry, readRegistry } from '../../../../src/stack/places/registry.js';
import { claimablePortBase } from '../../../support/port-base.js';
import { aLayout, aPlace, someSettings } from '../fixtures/place.js';

let claims: PortClaims;

/** Claims the ports of a test until it ends, so that no other test or stack takes one of them. */
beforeEach(async () => {
  let drop: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    drop = resolve;
  });
  let held: Promise<void> = Promise.resolve();
  claims = await new Promise<PortClaims>((resolve) => {
    held = withPortClaims((taken) => {
      resolve(taken);
      return ended;
    });
  });
  return async () => {
    drop();
    await held;
  };
});

describe('The ports of a stack', () => {
  test('are, from the first one: chain, store, parties from the 10th, peers from the 50th', () => {
    expect(portsFrom(16_300, ['alice', 'bob'])).toEqual({
      base: 16_300,
      chain: 16_300,
      store: 16_301,
      parties: { alice: 16_310, bob: 16_311 },
      peers: { alice: 16_350, bob: 16_351 },
    });
  });

  test('differ between stacks and stay the same', async () => {
    const place = await aPlaceWith('dev', 'test');
    const [first, second] = [await assign(place, 'dev'), await assign(place, 'test')];
    expect(first?.base).not.toBe(second?.base);
    expect(await assign(place, 'dev')).toEqual(first);
    expect((await readRegistry(place))['dev']?.slot).toBe(((first?.base ?? 0) - 16_000) / 100);
  });

  test('of an earlier version stay, and get ports for peers', async () => {
    const place = await aPlaceWith('dev');
    const first = await assign(place, 'dev');
    const { peers: _, ...before } = first ?? portsFrom(0, []);
    await writeFile(aLayout(place, 'dev').ports, JSON.stringify(before));
    expect(await assign(place, 'dev')).toEqual(first);
    expect(await readJsonFile(aLayout(place, 'dev').ports, Type.Unknown())).toEqual(first);
  });

  test('differ between stacks that are started at the same time', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const place = await aPlaceWith(...names);
    const ports = await Promise.all(names.map((name) => assign(place, name)));
    expect(new Set(ports.map((each) => each?.base)).size).toBe(names.length);
  });

  test('of an added party follow the others, at any place in the definition', async () => {
    const place = await aPlaceWith('dev');
    const first = await assign(place, 'dev');
    const settings = someSettings();
    const dave = { name: 'dave', organization: 'dave', node: 'dave-node' };
    const request = { place, layout: aLayout(place, 'dev'), name: 'dev', reassign: false };
    const second = await assignPorts({ ...request, settings: { ...settings, parties: [dave, ...settings.parties] } });
    expect(second).toEqual({
      ...first,
      parties: { ...first?.parties, dave: (first?.base ?? 0) + 12 },
      peers: { ...first?.peers, dave: (first?.base ?? 0) + 52 },
    });
  });

  test('are added for a party while the others are in use, with a given port for its API', async () => {
    const place = await aPlaceWith('dev');
    const layout = aLayout(place, 'dev');
    const settings = someSettings();
    const withMore = (...names: string[]) => {
      const more = names.map((name) => ({ name, organization: name, node: `${name}-node` }));
      return { ...settings, parties: [...settings.parties, ...more] };
    };
    expect(await addPorts(layout, withMore('dave'))).toBeUndefined();
    const first = await assign(place, 'dev');
    const base = first?.base ?? 0;
    const server = createServer().listen(base, '127.0.0.1');
    onTestFinished(() => void server.close());
    await expect(requireNewPort(layout, settings, base + 10)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    await expect(requireNewPort(layout, settings, base)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    const os = someSettings('ports: {base: os}');
    await expect(requireNewPort(layout, os, base + 90)).rejects.toMatchObject({ code: 'BIND_REFUSED' });
    await addPorts(layout, withMore('dave'), { party: 'dave', port: base + 90 });
    expect(await addPorts(layout, withMore('dave', 'erin'))).toMatchObject({
      parties: { ...first?.parties, dave: base + 90, erin: base + 13 },
      peers: { dave: base + 52, erin: base + 53 },
    });
  });

  test('skip a hundred with a port in use', async () => {
    const place = await aPlaceWith('dev', 'test');
    const first = await assign(place, 'dev');
    await occupy(first?.parties['alice'] ?? 0);
    await changeRegistry(place, ({ dev: _, ...rest }) => rest);
    expect((await assign(place, 'test'))?.base).not.toBe(first?.base);
  });

  test('are refused with the process if they are in use, and replaced with reassign', async () => {
    const place = await aPlaceWith('dev');
    const first = await assign(place, 'dev');
    await occupy(first?.chain ?? 0);
    const error = { code: 'PORT_IN_USE', exitCode: 6, details: { port: first?.chain, service: 'chain' } };
    const hint = 'Free it, or: stack start dev --reassign-ports';
    await expect(assign(place, 'dev')).rejects.toMatchObject({ ...error, hint });
    const named = `ports.base: ${first?.chain} (chain) is used by`;
    await expect(checkPorts(aLayout(place, 'dev'), someSettings())).rejects.toMatchObject({
      ...error,
      message: expect.stringContaining(named) as string,
    });
    if (process.platform === 'linux') {
      await expect(assign(place, 'dev')).rejects.toMatchObject({ details: { pid: process.pid } });
    }
    expect((await assign(place, 'dev', true))?.base).not.toBe(first?.base);
  });

  test('are replaced with reassign even if they are free', async () => {
    const place = await aPlaceWith('dev');
    const first = await assign(place, 'dev');
    const second = await assign(place, 'dev', true);
    expect(second?.base).not.toBe(first?.base);
    expect(await assign(place, 'dev')).toEqual(second);
  });

  test('are those of the definition until they are reassigned', async () => {
    const place = await aPlaceWith('dev');
    const [base, next] = [await claimablePortBase(onTestFinished), await claimablePortBase(onTestFinished)];
    const own = (reassign: boolean, first = base) =>
      assign(place, 'dev', reassign, someSettings(`ports: {base: ${first}}`));
    expect(await own(false)).toMatchObject({ base });
    expect((await readRegistry(place))['dev']?.slot).toBeUndefined();
    const others = await own(true);
    expect(others?.base).not.toBe(base);
    expect((await readRegistry(place))['dev']?.slot).toBe(((others?.base ?? 0) - 16_000) / 100);
    expect(await own(false)).toEqual(others);
    expect(await own(true, next)).toMatchObject({ base: next });
    expect((await readRegistry(place))['dev']?.slot).toBeUndefined();
  });

  test('are those of the definition if only the first port of the nodes has changed', async () => {
    const place = await aPlaceWith('dev');
    const base = await claimablePortBase(onTestFinished);
    await assign(place, 'dev', false, someSettings(`ports: {base: ${base}}`));
    const settings = someSettings(`ports: {base: ${base}, nodes: ${base + 20}}`);
    const ports = { base, nodes: base + 20, parties: { alice: base + 20, bob: base + 21 } };
    expect(await assign(place, 'dev', true, settings)).toMatchObject(ports);
    expect((await assign(place, 'dev', true, settings))?.base).not.toBe(base);
  });

  test('of the definition are refused if they are in use, and replaced with reassign', async () => {
    const place = await aPlaceWith('dev');
    const base = await claimablePortBase(onTestFinished);
    await occupy(base);
    const settings = someSettings(`ports: {base: ${base}}`);
    await expect(checkPorts(aLayout(place, 'dev'), settings)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    await expect(assign(place, 'dev', false, settings)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    expect((await assign(place, 'dev', true, settings))?.base).not.toBe(base);
  });

  test('are not assigned if the system chooses them', async () => {
    const place = await aPlaceWith('dev');
    const settings = someSettings('ports: {base: os}');
    const layout = aLayout(place);
    expect(await assignPorts({ place, layout, name: 'dev', settings, reassign: false })).toBeUndefined();
  });
});

describe('A port', () => {
  const loopbacks = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address)
    .filter((address) => address === '127.0.0.1' || address === '::1');

  test.each(loopbacks)('is in use if it is taken on %s', async (host) => {
    expect(await isFree(await occupy(0, host))).toBe(false);
  });

  // Elsewhere a machine has only one loopback address.
  test.runIf(process.platform === 'linux')('are checked where the nodes listen, too', async () => {
    const port = await occupy(0, '127.0.0.9');
    expect([await isFree(port, '127.0.0.9'), await isFree(port, '0.0.0.0')]).toEqual([false, false]);
    const [place, bind] = [await aPlaceWith('dev'), 'bind: 127.0.0.9'];
    const settings = someSettings(`ports: {base: ${port}}`, bind, 'auth: {enabled: true}');
    await expect(checkPorts(aLayout(place), settings)).rejects.toMatchObject({ code: 'PORT_IN_USE' });
  });
});

async function aPlaceWith(...names: string[]): Promise<Place> {
  const place = aPlace();
  await changeRegistry(place, () =>
    Object.fromEntries(
      names.map((name) => [
        name,
        { directory: aLayout(place, name).directory, template: 'default@1', createdAt: '2026-01-01T00:00:00Z' },
      ]),
    ),
  );
  return place;
}

function assign(place: Place, name: string, reassign = false, settings = someSettings()) {
  return assignPorts({ place, layout: aLayout(place, name), name, settings, reassign, claims });
}

function occupy(port: number, host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

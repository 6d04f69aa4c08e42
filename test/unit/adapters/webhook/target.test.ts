import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import {
  type Address,
  createTargetCheck,
  endpointOf,
  type TargetRules,
} from '../../../../src/adapters/webhook/target.js';

const names: Record<string, readonly string[]> = {
  'public.example': ['1.1.1.1', '2606:4700::1111'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['1.1.1.1', '10.0.0.1'],
  'private.example': ['10.0.0.1'],
  'chain.example': ['1.2.3.4'],
  'empty.example': [],
  localhost: ['127.0.0.1', '::1'],
};

function resolve(host: string): Promise<readonly Address[]> {
  const found = names[host];
  if (found === undefined) return Promise.reject(new Error('ENOTFOUND'));
  return Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
}

function check(url: string, rules: Partial<TargetRules> = {}): Promise<string> {
  const checkTarget = createTargetCheck({ allow: [], closed: () => [], host: '127.0.0.1', ...rules }, resolve);
  return checkTarget(new URL(url)).then(
    (addresses) => addresses.map(({ address }) => address).join(' '),
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  );
}

describe('a target', () => {
  it('is reached at the addresses that were checked', async () => {
    expect(await check('https://public.example/a')).toBe('1.1.1.1 2606:4700::1111');
    expect(await check('http://8.8.8.8')).toBe('8.8.8.8');
    expect(await check('http://[2606:4700::1111]:8080')).toBe('2606:4700::1111');
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://metadata.example',
    'http://[::ffff:169.254.169.254]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[fd00:ec2::254]',
    'http://[fe80::1]',
    'http://2852039166',
    'http://0xa9fea9fe',
    'http://0251.0376.0251.0376',
    'http://169.16689662',
    'http://0.0.0.0',
    'http://0',
    'http://[::]',
    'http://255.255.255.255',
    'http://224.0.0.1',
    'http://10.0.0.1',
    'http://mixed.example',
    'http://user:password@public.example',
    'ftp://public.example',
    'file:///etc/passwd',
  ])('is refused: %s', async (url) => expect(await check(url)).toBe('refused'));

  it('that is private needs a range in the configuration', async () => {
    expect(await check('http://private.example', { allow: ['10.0.0.0/8'] })).toBe('10.0.0.1');
    expect(await check('http://private.example', { allow: ['10.1.0.0/16'] })).toBe('refused');
    expect(await check('http://mixed.example', { allow: ['10.0.0.1'] })).toBe('1.1.1.1 10.0.0.1');
  });

  it('is forbidden permanently if no range can allow it', async () => {
    const allow = ['0.0.0.0/0', '::/0'];
    for (const url of ['http://169.254.169.254', 'http://[fd00:ec2::254]', 'http://[fe80::1]']) {
      expect(await check(url, { allow }), url).toBe('refused');
    }
    expect(await check('http://127.0.0.1', { allow, host: '10.0.0.5' })).toBe('refused');
  });

  it.each([
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://localhost',
    'http://[::1]',
  ])('on loopback is for nodes on loopback: %s', async (url) => {
    expect(await check(url)).not.toBe('refused');
    expect(await check(url, { host: 'localhost' })).not.toBe('refused');
    expect(await check(url, { host: '0.0.0.0' })).toBe('refused');
  });

  it.each(['http://127.0.0.1:9', 'http://[::1]:9', 'http://[::ffff:127.0.0.1]:9', 'http://localhost:9'])(
    'on loopback is for what webhooks.allow names, where the node asks for credentials: %s',
    async (url) => {
      const hasCredentials = true;
      expect(await check(url, { hasCredentials })).toBe('refused');
      expect(await check(url, { hasCredentials, allow: ['10.0.0.0/8'] })).toBe('refused');
      expect(await check(url, { hasCredentials, allow: ['127.0.0.0/8', '::1'] })).not.toBe('refused');
      expect(await check(url, { hasCredentials, allow: ['127.0.0.0/8', '::1'], host: '0.0.0.0' })).toBe('refused');
      const closed = () => [{ host: '127.0.0.1', port: 9 }];
      expect(await check(url, { hasCredentials, allow: ['127.0.0.0/8', '::1'], closed })).toBe('refused');
    },
  );

  it('is never an address of the stack itself, by whatever name', async () => {
    const closed = () => [{ host: '127.0.0.1', port: 5_000 }];
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.0.0.2', '2130706433', '[::ffff:127.0.0.1]']) {
      expect(await check(`http://${host}:5000`, { closed }), host).toBe('refused');
      expect(await check(`http://${host}:5001`, { closed }), host).not.toBe('refused');
    }
  });

  it('is not on a port of the stack if that listens on all addresses', async () => {
    const closed = () => [{ host: '0.0.0.0', port: 5_000 }];
    const own = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family }) => family === 'IPv4');
    expect(own.length).toBeGreaterThan(0);
    for (const { address } of own) {
      expect(await check(`http://${address}:5000`, { closed, allow: ['0.0.0.0/0'] }), address).toBe('refused');
    }
  });

  it('is not a service of the stack elsewhere', async () => {
    const closed = () => [endpointOf('http://chain.example:8545/rpc'), endpointOf('https://chain.example')];
    expect(await check('http://1.2.3.4:8545', { closed })).toBe('refused');
    expect(await check('https://1.2.3.4', { closed })).toBe('refused');
    expect(await check('http://1.2.3.4', { closed })).toBe('1.2.3.4');
    expect(await check('http://1.2.3.5:8545', { closed })).toBe('1.2.3.5');
  });

  it('with an unknown name cannot be reached now', async () => {
    expect(await check('http://nobody.example')).toBe('unreachable');
    expect(await check('http://empty.example')).toBe('unreachable');
  });

  it('is checked by rules that can be read', () => {
    expect(() => createTargetCheck({ allow: ['10.0.0.0/99'], closed: () => [], host: '127.0.0.1' })).toThrow(
      'webhooks.allow',
    );
  });
});

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { composeText } from '../../../../src/stack/export/compose.js';
import { type ExportOptions, exportNetwork } from '../../../../src/stack/export/network.js';
import { readmeText } from '../../../../src/stack/export/readme.js';
import type { Stack } from '../../../../src/stack/places/locate.js';
import { aCertificate, certificateFilesOf } from '../../../support/certificates.js';
import { aStartedStack } from '../fixtures/started-stack.js';

interface Compose {
  readonly services: Readonly<Record<string, { readonly volumes: readonly string[]; readonly ports?: string[] }>>;
}

test('Each folder of an exported network has one writer, and only services that need a secret read it', async () => {
  const { services } = await composed(await aStartedStack(['auth: {enabled: true}']));
  const mounts = Object.entries(services).flatMap(([service, { volumes }]) =>
    volumes.map((volume) => ({ service, path: volume.split(':')[0] ?? '', isRead: volume.endsWith(':ro') })),
  );
  const written = mounts.filter(({ isRead }) => !isRead).map(({ path }) => path);
  expect(written).toContain('./data/chain');
  expect(new Set(written).size).toBe(written.length);
  const readers = (path: string) => mounts.filter((mount) => mount.path === path).map(({ service }) => service);
  expect(readers('./keys/operator')).toEqual(['contracts']);
  expect(readers('./keys/alice/node.key')).toEqual(['alice']);
  expect(readers('./keys/alice/signing')).toEqual(['alice', 'contracts']);
  expect(readers('./keys/chain/token')).toEqual(['chain', 'alice', 'bob', 'contracts']);
  expect(readers('./keys/alice/token')).toEqual([]);
});

test('Only an advertised network publishes the ports for peers', async () => {
  const alone = await composed(await aStartedStack([]));
  const known = await composed(await aStartedStack(['auth: {enabled: true}']), { advertise: 'net.example' });
  const published = ({ services }: Compose) => Object.values(services).map(({ ports }) => ports?.length ?? 0);
  expect(published(alone)).toEqual([0, 0, 1, 1, 0]);
  expect(published(known)).toEqual([0, 0, 2, 2, 0]);
});

test('A node with a certificate is exported with it, and checked and called over HTTPS', async () => {
  const files = certificateFilesOf(await aCertificate());
  const tls = `tls: {cert: "file:${files.certificateFile}", key: "file:${files.keyFile}"}`;
  const network = await exportNetwork(await aStartedStack([tls]), {});
  const { services } = parse(composeText(network)) as Compose;
  const volumes = services['alice']?.volumes ?? [];
  expect(volumes).toContain('./keys/alice/tls.key:/parley/keys/alice/tls.key:ro');
  const contracts = network.tasks.find(({ name }) => name === 'contracts');
  expect(JSON.stringify(contracts?.config.value)).not.toContain('tls.key');
  expect(JSON.stringify(services['alice'])).toContain('https://127.0.0.1');
  expect(JSON.stringify(services['chain'])).toContain('http://127.0.0.1');
  expect(readmeText(network)).toMatch(/curl --cacert keys.alice.tls.crt https:..127.0.0.1:\d+.livez\n/);
  const elsewhere = exportNetwork(await aStartedStack([tls, 'auth: {enabled: true}']), { advertise: 'net.example' });
  await expect(elsewhere).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
});

test('An exported node may migrate its database to the form of a newer image', async () => {
  const { services } = await exportNetwork(await aStartedStack([]), {});
  const values = services.map(({ config }) => config.value);
  expect(values).toMatchObject([
    { port: 16_000 },
    { port: 16_001 },
    { organization: 'alice' },
    { organization: 'bob' },
  ]);
  for (const value of values) expect(value).not.toHaveProperty('databaseForm');
});

const url = ['chain: {provider: url, url: "https://chain.example"}'];

test.each([
  [['chain: {provider: anvil}'], {}, 'EXPORT_REFUSED'],
  [['store: {provider: ipfs, api: "http://127.0.0.1:5001"}'], {}, 'EXPORT_REFUSED'],
  [['chain: {provider: url, url: "http://localhost:8545"}'], {}, 'EXPORT_REFUSED'],
  [url, { data: false }, 'EXPORT_REFUSED'],
  [['database: {provider: postgres, url: "file:database.url"}'], {}, 'EXPORT_REFUSED'],
  [[], { advertise: 'net.example' }, 'BIND_REFUSED'],
])('A network that needs this machine is not exported: %j %j', async (lines, options: ExportOptions, code) => {
  await expect(exportNetwork(await aStartedStack(lines), options)).rejects.toMatchObject({ code });
});

test('An advertised address needs auth, and the hint names the setting and the flag', async () => {
  await expect(exportNetwork(await aStartedStack([]), { advertise: 'net.example' })).rejects.toMatchObject({
    message: expect.stringMatching(/^--advertise net\.example, but .* requires auth/) as string,
    hint: 'Enable it: stack config set auth.enabled=true -s dev, or leave out --advertise.',
  });
  const published = await aStartedStack(['auth: {enabled: true}', 'keys: {source: test}']);
  await expect(exportNetwork(published, { advertise: 'net.example' })).rejects.toMatchObject({
    hint: expect.stringMatching(/keys\.source=random, or leave out --advertise\.$/) as string,
  });
});

test('A network that was never started is not exported', async () => {
  const stack = await aStartedStack([], { hasStarted: false });
  await expect(exportNetwork(stack, {})).rejects.toMatchObject({ code: 'NOT_RUNNING' });
});

async function composed(stack: Stack, options: ExportOptions = {}): Promise<Compose> {
  return parse(composeText(await exportNetwork(stack, options))) as Compose;
}

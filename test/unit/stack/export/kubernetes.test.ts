import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { healthProgram } from '../../../../src/stack/export/compose.js';
import { copyProgram, waitProgram } from '../../../../src/stack/export/init-programs.js';
import type { Manifest } from '../../../../src/stack/export/kubernetes.js';
import { writeKubernetes } from '../../../../src/stack/export/write-kubernetes.js';
import { aCertificate, certificateFilesOf } from '../../../support/certificates.js';
import { aCertifiedService } from '../../../support/certified-service.js';
import { aStartedStack } from '../fixtures/started-stack.js';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const { StatefulSet } = require('kubernetes-models/apps/v1/StatefulSet') as Model<'StatefulSet'>;
const { Job } = require('kubernetes-models/batch/v1/Job') as Model<'Job'>;
const { NetworkPolicy } = require('kubernetes-models/networking.k8s.io/v1/NetworkPolicy') as Model<'NetworkPolicy'>;
const { ConfigMap } = require('kubernetes-models/v1/ConfigMap') as Model<'ConfigMap'>;
const { Secret } = require('kubernetes-models/v1/Secret') as Model<'Secret'>;
const { Service } = require('kubernetes-models/v1/Service') as Model<'Service'>;
const kinds = { StatefulSet, Job, NetworkPolicy, ConfigMap, Secret, Service };

/** A module of the schemas. Its own types accept only literal manifests. */
type Model<Name extends string> = Readonly<Record<Name, new (manifest?: object) => Validated>>;

interface Validated {
  readonly apiVersion: string;
  /** @throws Error for a manifest that does not conform */
  validate(): void;
}
const auth = 'auth: {enabled: true}';

test.each([[[]], [[auth, 'tokens: {pools: [{name: coins, type: fungible}]}']]])(
  'Exported manifests conform to the published schemas: %j',
  async (lines) => {
    const manifests = await exported(lines);
    for (const manifest of manifests) {
      const Kind = Object.entries(kinds).find(([name]) => name === manifest.kind)?.[1];
      if (Kind === undefined) throw new Error(`There is no schema for ${manifest.kind}.`);
      new Kind(manifest).validate();
      expect(manifest.apiVersion).toBe(new Kind().apiVersion);
    }
    expect(new Set(manifests.map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  },
);

test('The schemas refuse what a cluster would refuse', () => {
  expect(() => new Job({ spec: { template: {}, backoffLimit: 'many' } }).validate()).toThrow();
  expect(() => new Service({ spec: { ports: [{ name: 'http' }] } }).validate()).toThrow();
});

test('A secret is only in the Secrets of the pods that read it', async () => {
  const secrets = (await exported([auth])).filter(({ kind }) => kind === 'Secret');
  const holders = (key: string) =>
    secrets.filter(({ data }) => data instanceof Object && key in data).map(({ metadata }) => metadata.name);
  expect(holders('operator')).toEqual(['contracts-keys']);
  expect(holders('alice.node.key')).toEqual(['alice-keys']);
  expect(holders('chain.token')).toEqual(['chain-keys', 'alice-keys', 'bob-keys', 'contracts-keys']);
});

test('A pod copies its secrets to private files, and keeps existing keys of its wallet', async () => {
  const stack = await aStartedStack([]);
  const [secrets, keys, wallet] = ['secrets', 'keys', 'wallet'].map((name) => join(stack.place.home, name));
  if (secrets === undefined || keys === undefined || wallet === undefined) throw new Error('There are three folders.');
  await mkdir(join(secrets, 'alice', 'wallet'), { recursive: true });
  await mkdir(wallet);
  await writeFile(join(secrets, 'alice', 'signing'), 'key');
  await writeFile(join(secrets, 'alice', 'wallet', 'one'), 'old');
  await writeFile(join(wallet, 'one'), 'new');
  const paths = ['alice/signing', 'alice/wallet/one'];
  // A restarted pod finds its folder unchanged.
  const start = () => run(process.execPath, ['-e', copyProgram(keys, wallet, secrets), ...paths]);
  await start();
  await start();
  expect((await stat(join(keys, 'alice', 'signing'))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(wallet, 'one'), 'utf8')).toBe('new');
});

test('The probes of a node with a certificate use TLS and verify it', async () => {
  const own = await aCertificate({ names: ['127.0.0.1'] });
  const files = certificateFilesOf(own);
  const manifests = await exported([`tls: {cert: "file:${files.certificateFile}", key: "file:${files.keyFile}"}`]);
  const texts = (name: string) => JSON.stringify(manifests.filter(({ metadata }) => metadata.name === name));
  expect([texts('alice').includes('"scheme":"HTTPS"'), texts('chain').includes('"scheme"')]).toEqual([true, false]);
  const listener = await aCertifiedService(own);
  const health = (certificateFile: string) => healthProgram(listener.port, { health: { ...probe, certificateFile } });
  await run(process.execPath, ['-e', health(files.certificateFile)]);
  const other = certificateFilesOf(await aCertificate({ names: ['127.0.0.1'] }));
  await expect(run(process.execPath, ['-e', health(other.certificateFile)])).rejects.toMatchObject({ code: 1 });
});

test('A health check succeeds once the node has read the chain', async () => {
  const answers = ['{"ready":true}', '{"ready":false}', 'no JSON'];
  const server = createServer((_, response) => response.end(answers.shift()));
  const port = await portOf(server);
  const check = async () => run(process.execPath, ['-e', healthProgram(port, { health: probe })]);
  await check();
  await expect(check()).rejects.toMatchObject({ code: 1 });
  await expect(check()).rejects.toMatchObject({ code: 1 });
  server.close();
  await expect(check()).rejects.toMatchObject({ code: 1 });
});

const probe = { path: '/livez', intervalMs: 1, timeoutMs: 1, maxMisses: 1 };

test('A pod waits until the contract is on the chain', async () => {
  const answers = ['0x', '0x6001'];
  const port = await portOf(createServer((_, response) => response.end(JSON.stringify({ result: answers.shift() }))));
  await run(process.execPath, ['-e', waitProgram(`http://127.0.0.1:${port}`, '0x1', undefined)]);
  expect(answers).toEqual([]);
});

test.each([
  ['chain: {provider: url, url: "https://chain.example"}', 'EXPORT_REFUSED'],
  ['chain: {provider: anvil}', 'EXPORT_REFUSED'],
])('A network with another chain than the built-in one is not exported to a cluster: %s', async (line, code) => {
  const stack = await aStartedStack([line]);
  await expect(writeKubernetes(stack, join(stack.place.home, 'out'))).rejects.toMatchObject({ code });
});

/** Starts a server on loopback, which ends with the test. */
async function portOf(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function exported(lines: readonly string[]): Promise<Manifest[]> {
  const stack = await aStartedStack(lines);
  const { directory } = await writeKubernetes(stack, join(stack.place.home, 'out'));
  const texts = await Promise.all(
    ['secrets', 'network'].map((name) => readFile(join(directory, `${name}.yaml`), 'utf8')),
  );
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
}

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasNoKubo, type Kubo, startKubo } from '../../support/kubo.js';
import { freePortBase } from '../../support/port-base.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

const secret = 'engines:only-for-tests';
const guarded = { API: { Authorizations: { parley: { AuthSecret: `basic:${secret}`, AllowedPaths: ['/api/v0'] } } } };

describe.skipIf(hasNoKubo)('a stack with an IPFS node that others run (needs Kubo)', () => {
  test('works with credentials from a file, and shows them nowhere', async () => {
    const kubo = await aKubo(guarded);
    const cli = await aStack(kubo);
    const file = join(cli.directory, 'secret');
    await writeFile(file, `${secret}\n`);
    for (const words of attempts) {
      expect(await cli.ends(...words)).toMatchObject({ code: 9, said: expect.stringContaining('store.api') });
    }
    await cli.ok('config', 'set', `store.authFile=file:${file}`, '-s', 'dev');
    await chmod(file, 0o644);
    for (const words of attempts) expect(await cli.ends(...words)).toMatchObject({ code: 9 });
    await chmod(file, 0o600);
    const online = (await cli.okJson('config', 'validate', '--online', '-s', 'dev')) as { readonly online: unknown };
    expect(online.online).toMatchObject({ chain: null, store: { api: kubo.api, version: '0.36.0' } });
    await cli.ok('start', 'dev', '-q');
    const { services } = (await cli.okJson('status', 'dev')) as { readonly services: readonly { name: string }[] };
    const row = services.find(({ name }) => name === 'store');
    expect(row).toMatchObject({ url: kubo.api, pid: null, external: true, state: 'healthy' });
    await cli.ok('broadcast', '{"with":"a file"}', '-f', await cli.ok('config', 'path', '-s', 'dev'), '--wait', 'all');
    for (const name of ['alice', 'bob', 'supervisor']) {
      const log = join(cli.environment['STACK_HOME'] ?? '', 'stacks/dev/logs', `${name}.ndjson`);
      const text = await readFile(log, 'utf8');
      expect(text).not.toContain('only-for-tests');
      expect(text).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });

  test('loses nothing when the IPFS node is killed under load, and names what it waits for', async () => {
    const kubo = await aKubo();
    const cli = await aStack(kubo);
    await cli.ok('start', 'dev', '-q');
    const bench = cli.begin(['bench', 'broadcast', '--rate', '10', '--duration', '8s', '--json']);
    await expect.poll(bench.err).toContain('10/s');
    for (let round = 0; round < 2; round += 1) {
      await kubo.kill();
      const { id } = (await messageOf(cli)).header;
      await expect.poll(async () => (await cli.ends('explain', id)).said, byCommand).toContain('shared store');
      await kubo.restart();
      await expect.poll(() => cli.okJson('messages', 'get', id), byCommand).toMatchObject({ state: 'confirmed' });
    }
    const report = JSON.parse((await bench.ended).out) as { readonly findings: readonly { readonly status: string }[] };
    expect(report.findings.map(({ status }) => status)).not.toContain('violated');
    expect(report).toMatchObject({ verdict: 'ok', count: 80, confirmed: 80 });
  });

  test.each([
    ['nothing answers', () => ({ 'store.api': 'http://127.0.0.1:9' }), 'store.api'],
    ['the gateway stands for the API', ({ gateway }: Kubo) => ({ 'store.api': gateway }), 'store.api'],
    ['no gateway answers', () => ({ 'store.gateway': 'http://127.0.0.1:9' }), 'store.gateway'],
    ['the API stands for the gateway', ({ api }: Kubo) => ({ 'store.gateway': api }), 'store.gateway'],
    [
      'the gateway sends readers on to a subdomain',
      ({ gateway }: Kubo) => ({ 'store.gateway': gateway.replace('127.0.0.1', 'localhost') }),
      '127.0.0.1',
    ],
    ['the file is missing', () => ({ 'store.authFile': 'file:nothing' }), 'store.authFile'],
  ])('is refused at once where %s', async (_, sets, said) => {
    const kubo = await aKubo();
    const cli = await aStack(kubo);
    const words = Object.entries(sets(kubo)).map(([setting, value]) => `${setting}=${value}`);
    await cli.ok('config', 'set', ...words, '-s', 'dev');
    for (const attempt of attempts) {
      expect(await cli.ends(...attempt)).toMatchObject({ code: 9, said: expect.stringContaining(said) });
    }
  });

  test('has no snapshots, and does not move to another store', async () => {
    const cli = await aStack(await aKubo());
    await cli.ok('start', 'dev', '-q');
    for (const words of [
      ['snapshot', 'save', 'one'],
      ['snapshot', 'restore', 'one', '--yes'],
      ['reset', 'dev', '--to', 'one', '--yes'],
    ]) {
      expect(await cli.ends(...words)).toMatchObject({ code: 2, said: expect.stringContaining('store.provider') });
    }
    await cli.ok('stop', 'dev');
    const file = await cli.ok('config', 'path', '-s', 'dev');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^store:.*\n(?: .*\n)*/m, ''));
    const { code, said } = await cli.ends('start', 'dev');
    expect(said).toContain('store.provider');
    expect(code).toBe(10);
  });
});

/** Commands that would need control of the store. */
const attempts = [
  ['config', 'validate', '--online', '-s', 'dev'],
  ['start', 'dev'],
] as const;

async function aKubo(settings: Readonly<Record<string, unknown>> = {}): Promise<Kubo> {
  const kubo = await startKubo(settings);
  onTestFinished(() => kubo.remove());
  return kubo;
}

/** Creates a stack of two parties on an IPFS node. */
async function aStack({ api, gateway }: Kubo): Promise<StackCli> {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  const base = await freePortBase();
  const store = ['--store', api, '--set', `store.gateway=${gateway}`];
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', base, ...store);
  return cli;
}

async function messageOf(cli: StackCli) {
  const sent = await cli.okJson('broadcast', '{"while":"the store is away"}', '--topic', 'away', '--no-wait');
  return sent as { readonly header: { readonly id: string } };
}

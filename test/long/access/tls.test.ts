import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasNoBrowser, startBrowser } from '../browser/fixtures/chromium.js';
import { aCertificate } from '../../support/certificates.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

const cli = createStackCli('minimal');
const certificate = join(cli.directory, 'node.crt');
const key = join(cli.directory, 'node.key');

beforeAll(async () => {
  await renew();
  await cli.start();
});
afterAll(() => cli.remove());

async function renew(asked: Parameters<typeof aCertificate>[0] = {}): Promise<void> {
  const made = await aCertificate(asked);
  await writeFile(key, made.key, { mode: 0o600 });
  await writeFile(certificate, made.certificate);
}

/** Returns the node's answer to curl, a client that is not part of this project. */
async function curl(...words: readonly string[]): Promise<string> {
  return (await cli.shell(`curl -sS ${words.join(' ')}`).ended).out;
}

const setTls = (file = certificate) => ['config', 'set', `tls.cert=file:${file}`, `tls.key=file:${key}`, '-s', 'dev'];

describe('a stack whose stack.yaml names a certificate', () => {
  test('uses HTTPS from its next start on, with all its own commands', async () => {
    await cli.ok(...setTls());
    await cli.ok('config', 'validate', '-s', 'dev');
    await cli.ok('start', 'dev', '--smoke', '-q');
    const url = (await cli.ok('open', '--print')).replace('/ui', '');
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const tail = cli.shell('stack events tail --all-parties --tag tls --count 2 -v --json');
    await cli.following(tail, 'alice', 'bob');
    const id = await cli.ok('broadcast', '{"over":"tls"}', '--tag', 'tls', '--wait', 'all', '-q');
    expect((await tail.ended).out.match(new RegExp(`"reference":"${id}"`, 'g'))).toHaveLength(2);
    expect(await cli.okJson('status', 'dev')).toMatchObject({ state: 'running', parties: { alice: { waiting: [] } } });
    await cli.ok('wait', '--for', 'idle', '--timeout', '30s');
    expect(await cli.ok('env')).toContain(`export STACK_ALICE_WS=${url.replace('https', 'wss')}/ws`);
    const bench = await cli.ends('bench', 'broadcast', '--rate', '10', '--duration', '2s', '--warmup', '0s');
    expect(bench.said).not.toContain('VIOLATED');
    const { err } = await cli.run(['bench', 'blob', '--size', '1MB', '--json']);
    expect(err).not.toContain('✗');
  });

  test('accepts commands and other programs by its address, with the file of its certificate', async () => {
    const url = (await cli.ok('open', '--print')).replace('/ui', '');
    expect(await curl('--cacert', certificate, `${url}/livez`)).toContain('"ready":true');
    expect(await curl(`${url}/livez`)).toBe('');
    expect(await curl(`${url.replace('https', 'http')}/livez`)).toContain('https://');
    expect(await cli.ok('messages', 'list', '--url', url, '--ca', certificate, '-q')).not.toBe('');
    const stranger = await cli.run(['messages', 'list', '--url', url]);
    expect(stranger).toMatchObject({ code: 9, err: expect.stringContaining('--ca') as string });
    const environment = { STACK_CA_FILE: certificate, STACK_URL: url };
    expect(await cli.run(['events', 'tail', '--since', 'oldest', '--count', '1'], { environment })).toMatchObject({
      code: 0,
    });
    const shown = await cli.ok('api', 'GET', 'status', '--curl');
    expect((await cli.shell(shown).ended).out).toContain('"node"');
  });

  test.skipIf(hasNoBrowser)('shows its explorer only to a browser that trusts its certificate', async () => {
    const url = await cli.ok('open', '--print');
    const { origin } = new URL(url);
    const stranger = await startBrowser(() => [origin]);
    onTestFinished(() => stranger.close());
    await expect((await stranger.open()).goto(url)).rejects.toThrow('ERR_CERT');
    const browser = await startBrowser(() => [origin], [await readFile(certificate, 'utf8')]);
    onTestFinished(() => browser.close());
    const page = await browser.open();
    const sockets: string[] = [];
    page.on('websocket', (socket) => void sockets.push(socket.url()));
    await page.goto(`${url}/default/messages`);
    const id = await cli.ok('broadcast', '{"in":"the browser"}', '--wait', 'all', '-q');
    await page
      .getByRole('row')
      .filter({ hasText: id.slice(0, 8) })
      .waitFor();
    expect(sockets.every((socket) => socket.startsWith(origin.replace('https', 'wss')))).toBe(true);
    expect(sockets).not.toEqual([]);
    expect(browser.faults()).toEqual([]);
  });

  test('presents a renewed certificate without a restart, and stays healthy', async () => {
    const before = await cli.okJson('status', 'dev');
    await renew();
    const url = (await cli.ok('open', '--print')).replace('/ui', '');
    await expect.poll(() => curl('--cacert', certificate, `${url}/livez`)).toContain('"ready":true');
    await cli.ok('broadcast', '{"after":"renewal"}', '--wait', 'all');
    const pids = (status: unknown) => JSON.stringify(status).match(/"pid":\d+/g);
    expect(pids(await cli.okJson('status', 'dev'))).toEqual(pids(before));
  });

  test.each([
    ['for another name', { names: ['localhost'] }, 'tls.cert'],
    ['that has expired', { days: -1 }, 'tls.cert'],
  ])('is refused with a certificate %s before anything starts', async (_, asked, setting) => {
    await cli.ok('stop', 'dev', '-q');
    await renew(asked);
    for (const words of [
      ['config', 'validate', '-s', 'dev'],
      ['start', 'dev'],
    ]) {
      expect(await cli.run(words)).toMatchObject({ code: 9, err: expect.stringContaining(setting) as string });
    }
  });

  test('is refused without its files, and a certificate setting without a key is invalid', async () => {
    await cli.ok(...setTls('nowhere.pem'));
    expect(await cli.ends('start', 'dev')).toMatchObject({
      code: 9,
      said: expect.stringContaining('tls.cert') as string,
    });
    const half = await cli.ends('init', 'half', '--set', 'tls.cert=file:a.pem');
    expect(half).toMatchObject({ code: 2, said: expect.stringContaining('tls') as string });
  });
});

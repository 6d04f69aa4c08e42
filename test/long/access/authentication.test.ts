import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createCli, type Ended } from '../../e2e/fixtures/cli.js';

const cli = createCli();
const stackDirectory = join(cli.directory, 'home', 'stacks', 'dev');
const parties = ['alice', 'bob'];
/** The output of all commands; none may contain a secret. */
const said: string[] = [];

function keyFile(party: string, name: string): string {
  return join(stackDirectory, 'keys', party, name);
}

async function tokenOf(party: string): Promise<string> {
  return (await readFile(keyFile(party, 'token'), 'utf8')).trim();
}

async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const ended = await cli.run(words, { environment });
  said.push(ended.out, ended.err);
  return ended;
}

/** Returns the output of a command that must succeed. */
async function ok(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await run(words);
  if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}: ${out}${err}`);
  return out.trimEnd();
}

async function statusOf(party: string, authorization?: string): Promise<number> {
  const port = await ok('port', party);
  const headers = authorization === undefined ? {} : { authorization };
  return (await fetch(`http://127.0.0.1:${port}/api/v1/status`, { headers })).status;
}

/** Expects that chain and store require their tokens, whose files `env` names. */
async function expectServicesToAsk(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const environment = await ok('env');
  for (const [service, path] of [
    ['chain', '/'],
    ['store', '/api/v0/version'],
  ] as const) {
    const file = keyFile(service, 'token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(environment).toContain(`export STACK_${service.toUpperCase()}_AUTH_FILE=${file}`);
    const url = `http://127.0.0.1:${await ok('port', service)}${path}`;
    const ask = async (token?: string): Promise<number> => {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const headers = { 'content-type': 'application/json', ...authorization };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    expect([await ask(), await ask(await tokenOf('alice')), await ask(await tokenOf(service))]).toEqual([
      401, 401, 200,
    ]);
  }
  expect(await ok('chain', 'info')).toContain(keyFile('chain', 'token'));
  expect(await ok('chain', 'blocks')).not.toBe('');
}

let earlier: string;

beforeAll(async () => {
  await ok('init', 'dev', '-t', 'minimal', '--port-base', await freePortBase(), '-q');
  await ok('start', '-q');
  earlier = await ok('broadcast', '"earlier"', '--wait', 'all', '-q');
});
afterAll(async () => {
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

describe('A stack without auth', () => {
  test('requires no credentials, and listens only on loopback', async () => {
    expect(await statusOf('alice')).toBe(200);
    await ok('stop', '-q');
    for (const host of ['0.0.0.0', '127.0.0.2', '::']) {
      const refused = await run(['start', '--host', host, '--json']);
      expect(JSON.parse(refused.out)).toMatchObject({
        error: {
          code: 'BIND_REFUSED',
          exitCode: 2,
          hint: 'Enable it: stack config set auth.enabled=true -s dev, or leave out --host.',
        },
      });
    }
    expect(await ok('list')).toContain('dev\tstopped');
  });
});

describe('A stack in which auth is switched on', () => {
  test('requires credentials from its next start on, knows each party by its token, and keeps its data', async () => {
    await appendFile(join(stackDirectory, 'stack.yaml'), '\nauth: {enabled: true}\n');
    await ok('start', '--smoke', '-q');
    expect(new Set(await Promise.all(parties.map(tokenOf))).size).toBe(2);
    for (const party of parties) {
      expect((await stat(keyFile(party, 'token'))).mode & 0o777).toBe(0o600);
      expect(await statusOf(party)).toBe(401);
      expect(await statusOf(party, `Bearer ${await tokenOf(party)}`)).toBe(200);
      const basic = Buffer.from(`${party}:${await tokenOf(party)}`).toString('base64');
      expect(await statusOf(party, `Basic ${basic}`)).toBe(200);
    }
    expect(await statusOf('alice', `Bearer ${await tokenOf('bob')}`)).toBe(401);
    await expectServicesToAsk();
    expect(await ok('messages', 'get', earlier, '-p', 'bob', '--json')).toContain('"state":"confirmed"');
    const opened = await run(['open', 'bob', '--print']);
    expect(opened.out).toMatch(/^http:\S+\/ui\n$/);
    expect(opened.err).toContain(`bob, and the token in ${keyFile('bob', 'token')}\n`);
  });

  test('is dumped without any key or token, even if a log has one', async () => {
    const secrets = await keyTexts();
    const log = join(stackDirectory, 'logs', 'alice.ndjson');
    const planted = `${secrets.join(' ')}\n`;
    await appendFile(log, planted);
    const archive = await ok('dump', 'dumps', '--tar');
    await writeFile(log, (await readFile(log, 'utf8')).replace(planted, ''));
    await cli.shell(`cd dumps && tar -xzf '${archive}' && rm '${archive}'`).ended;
    const files = await readdir(join(cli.directory, 'dumps'), { recursive: true });
    for (const end of ['stack.yaml', 'dump.json', 'logs/alice.ndjson', 'parties/bob/events.json', 'run/plan.json']) {
      expect(files.some((file) => file.endsWith(end))).toBe(true);
    }
    const dumped = await cli.shell('find dumps -type f -exec cat {} +').ended;
    expect(dumped.out).toContain('[secret]');
    const bare = secrets.map((text) => text.replace(/^0x/, '').toLowerCase());
    expect(bare.filter((text) => dumped.out.toLowerCase().includes(text))).toEqual([]);
  });

  test('is used by commands as before: they send the token of each party', async () => {
    const tail = cli.shell('stack events tail --all-parties --tag auth --count 2 --json -v');
    for (const party of parties) await expect.poll(tail.err).toContain(`following ${party}`);
    const id = await ok('broadcast', '{"a":1}', '--tag', 'auth', '--wait', 'all', '-q');
    const ended = await tail.ended;
    said.push(ended.out, ended.err);
    expect([ended.code, ended.out.match(new RegExp(`"reference":"${id}"`, 'g'))]).toMatchObject([0, { length: 2 }]);
    expect(JSON.parse(await ok('status', '--json'))).toMatchObject({ parties: { alice: { waiting: [] }, bob: {} } });
    await ok('wait', '--for', 'idle', '--timeout', '30s');
    await ok('send', '{"p":1}', '--to', 'bob', '--wait', 'all', '-q');
    expect(await ok('messages', 'get', id, '--party', 'all')).toMatch(/alice.*confirmed[^]*bob.*confirmed/);
    await writeFile(join(cli.directory, 'file.txt'), 'hello');
    const data = await ok('data', 'upload', 'file.txt', '-q');
    expect(await ok('data', 'download', data, '-o', '-')).toBe('hello');
    const bench = await run(['bench', 'broadcast', '--rate', '20', '--duration', '2s', '--warmup', '0s', '--json']);
    expect(JSON.parse(bench.out)).toMatchObject({ count: 40, confirmed: 40, verdict: 'ok' });
    const blob = await run(['bench', 'blob', '--size', '1MB', '--json']);
    expect(JSON.parse(blob.out)).toMatchObject({
      sizeBytes: 1_000_000,
      verdict: expect.not.stringContaining('VIOLATED'),
    });
  });

  test('is used by its address with a file that has the credential', async () => {
    const url = `http://127.0.0.1:${await ok('port', 'alice')}`;
    const get = ['messages', 'get', earlier, '--url', url];
    const basic = join(cli.directory, 'basic');
    await writeFile(basic, `alice:${await tokenOf('alice')}\n`, { mode: 0o600 });
    const refused = await run([...get, '--json']);
    expect(JSON.parse(refused.out)).toMatchObject({
      error: { exitCode: 7, hint: expect.stringContaining('--auth-file'), details: { nodeCode: 'FF00169' } },
    });
    expect((await run([...get, '--auth-file', keyFile('bob', 'token')])).code).toBe(7);
    for (const file of [basic, keyFile('alice', 'token')]) {
      expect(await ok(...get, '--auth-file', file)).toContain(earlier);
      expect((await run(get, { STACK_AUTH_FILE: file })).code).toBe(0);
    }
    expect((await run(['api', 'GET', 'status', '--url', url])).code).toBe(7);
    expect((await run(['events', 'tail', '--count', '1', '--url', url])).code).toBe(7);
    const command = await ok('api', 'GET', 'messages?limit=0', '--curl', '--url', url, '--auth-file', basic);
    expect(command).toContain(basic);
    expect(await ok('env')).toContain(`export STACK_ALICE_AUTH_FILE=${keyFile('alice', 'token')}`);
  });

  test('admits the credentials that its owner has listed, within their rights, also after a restart', async () => {
    const before = await Promise.all(parties.map(tokenOf));
    const path = keyFile('alice', 'auth.json');
    const file: { readonly version: 1; readonly credentials: readonly unknown[] } = JSON.parse(
      await readFile(path, 'utf8'),
    );
    const sha256 = createHash('sha256').update('a-token-for-ci').digest('hex');
    const credentials = [...file.credentials, { name: 'ci', sha256, namespaces: ['default'] }];
    await writeFile(path, JSON.stringify({ version: 1, credentials }));
    await ok('stop', '-q');
    await ok('start', '-q');
    await ok('reset', '--yes', '-q');
    expect(await Promise.all(parties.map(tokenOf))).toEqual(before);
    const token = join(cli.directory, 'ci');
    await writeFile(token, 'a-token-for-ci\n', { mode: 0o600 });
    expect(await ok('broadcast', '"x"', '--auth-file', token, '-q')).toMatch(/^[0-9a-f-]{36}$/);
    const refused = await run(['messages', 'list', '--ns', 'svc_system', '--auth-file', token, '--json']);
    expect(JSON.parse(refused.out)).toMatchObject({ error: { exitCode: 7, details: { nodeCode: 'FF00170' } } });
  });

  test('may listen at another address, while chain, store and peers stay on loopback', async (context) => {
    if (process.platform !== 'linux') context.skip();
    await ok('stop', '-q');
    await ok('start', '--host', '127.0.0.2', '-q');
    const port = await ok('port', 'alice');
    expect((await fetch(`http://127.0.0.2:${port}/livez`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.2:${port}/metrics`)).status).toBe(401);
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow();
    for (const service of ['chain', 'store']) {
      expect((await fetch(`http://127.0.0.1:${await ok('port', service)}/livez`)).status).toBe(200);
    }
    expect(await ok('env')).toContain(`STACK_ALICE_URL=http://127.0.0.2:${port}\n`);
    await ok('broadcast', '"there"', '--wait', 'all', '-q');
    await ok('start', '--host', '127.0.0.2', '-q');
    expect((await run(['start', '--host', '127.0.0.3'])).code).toBe(2);
  });

  test('gets no token at the port of a node that is not running, and reports it', async () => {
    await ok('start', '-q');
    const [port, id] = [Number(await ok('port', 'alice')), await ok('broadcast', '"last"', '--wait', 'all', '-q')];
    await ok('stop', '-q');
    const asked: string[] = [];
    const thief = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without a token'}`);
      response.end('{}');
    });
    thief.on('upgrade', (_, socket) => {
      asked.push('upgrade');
      socket.destroy();
    });
    await new Promise<void>((resolve) => void thief.listen(port, '127.0.0.1', resolve));
    try {
      for (const words of [
        ['broadcast', '"x"'],
        ['messages', 'get', id],
        ['messages', 'list', '--auth-file', keyFile('alice', 'token')],
        ['events', 'tail', '--count', '1'],
        ['wait', '--for', `message=${id}`, '--timeout', '1s'],
        ['api', 'GET', 'status'],
      ]) {
        const { code, out } = await run([...words, '--json']);
        expect([words[0], code]).toEqual([words[0], 4]);
        expect(JSON.parse(out)).toMatchObject({
          error: { code: 'NOT_RUNNING', hint: expect.stringContaining('start') },
        });
      }
      expect((await run(['status', '--json'])).code).toBe(0);
      expect(asked).toEqual([]);
    } finally {
      await new Promise((resolve) => thief.close(resolve));
    }
    await ok('start', '-q');
  });

  test('shows its keys and tokens nowhere: not in a process, log, configuration or output', async (context) => {
    if (process.platform !== 'linux') context.skip();
    const tail = cli.shell('stack events tail --all-parties --tag end --count 2 -v');
    for (const party of parties) await expect.poll(tail.err).toContain(`following ${party}`);
    const own = (await processes()).filter(({ environment }) => environment.includes(cli.directory));
    expect(own.length).toBeGreaterThanOrEqual(6);
    await ok('broadcast', '"end"', '--tag', 'end', '-q');
    const ended = await tail.ended;
    const texts = [
      ...own.flatMap(({ command, environment }) => [command, environment]),
      ...(await Promise.all(['logs', 'run', 'data', 'crash'].map((name) => textUnder(join(stackDirectory, name))))),
      ...said,
      ended.out,
      ended.err,
    ];
    const tokens = await Promise.all(parties.map(tokenOf));
    const basics = parties.map((party, index) => Buffer.from(`${party}:${tokens[index] ?? ''}`).toString('base64'));
    const keys = (await keyTexts()).map((text) => text.replace(/^0x/, ''));
    for (const secret of [...tokens, ...keys, ...basics, 'a-token-for-ci']) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  test("shows a new party's name in the explorers of the others without restarting them", async () => {
    const explorers = async () => {
      const headers = { authorization: `Bearer ${await tokenOf('alice')}` };
      const url = `http://127.0.0.1:${await ok('port', 'alice')}/ui/_config`;
      return (await fetch(url, { headers })).json();
    };
    await ok('party', 'add', 'carol', '-q');
    const joined = { name: 'carol', url: `http://127.0.0.1:${await ok('port', 'carol')}` };
    const others = parties.map((name): unknown => expect.objectContaining({ name }));
    expect(await explorers()).toMatchObject({ parties: [...others, joined] });
  });
});

/** Returns the lines with secret bytes of all keys and tokens of the stack. */
async function keyTexts(): Promise<readonly string[]> {
  const names = await readdir(join(stackDirectory, 'keys'), { recursive: true });
  const secret = names.filter((name) => /(operator|signing|token|spare-\d+|node\.key)$/.test(name));
  const texts = await Promise.all(secret.map((name) => readFile(join(stackDirectory, 'keys', name), 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => /^[\w+/=-]{16,}$/.test(line)));
  expect(lines.length).toBeGreaterThanOrEqual(secret.length);
  return lines;
}

/** Returns the command line and environment of every process that this user may read. */
async function processes(): Promise<{ readonly command: string; readonly environment: string }[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    ids.map(async (pid) => {
      // It may have ended since, or belong to another user.
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
      return { command: await read('cmdline'), environment: await read('environ') };
    }),
  );
}

async function textUnder(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((path) => readFile(path, 'latin1')))).join('\n');
}

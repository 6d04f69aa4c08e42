import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';

const cli = createStackCli('minimal');
const { ok, okJson, ends, following } = cli;
beforeAll(cli.start);
afterAll(cli.remove);

/** Sends broadcasts with a tag and waits until all parties have them; the tag separates the tests. */
async function send(tag: string, ...values: readonly string[]): Promise<void> {
  const words = ['broadcast', '--lines', '--tag', tag, '--wait', 'all', '-q'];
  expect((await cli.run(words, { input: values.join('\n') })).code).toBe(0);
}

interface Line {
  readonly sequence: number;
  readonly stack: { readonly party: string; readonly data?: readonly { readonly value: unknown }[] };
}

function linesOf(out: string): Line[] {
  const lines = out.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Returns the values of the messages in output lines. */
function valuesOf(out: string): unknown[] {
  return linesOf(out).flatMap(({ stack }) => (stack.data ?? []).map(({ value }) => value));
}

/** A target of forwarded events: the requests that it received, and its answer. */
interface Target {
  readonly url: string;
  readonly came: { readonly id: unknown; readonly body: Line }[];
  status: number;
  readonly server: Server;
}

async function startTarget(): Promise<Target> {
  const came: Target['came'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      came.push({ id: request.headers['x-parley-event'], body: JSON.parse(Buffer.concat(chunks).toString()) as Line });
      response.writeHead(target.status, { connection: 'close' }).end('"\u001b[31m"');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target: Target = { url: `http://127.0.0.1:${port}/events`, came, status: 200, server };
  return target;
}

describe('A tail', () => {
  test('prints every event once across a restart of the node', async () => {
    const tail = cli.shell('stack events tail --tag "^gap$" --json --with-data -v --count 4');
    await following(tail, 'alice');
    await send('gap', '1');
    await ok('stop', '-p', 'alice', '-q');
    await expect.poll(tail.err).toContain('no connection to alice');
    await cli.run(['broadcast', '--lines', '--tag', 'gap', '-p', 'bob', '-q'], { input: '2\n3' });
    await ok('start', '-q');
    await send('gap', '4');
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    expect(valuesOf(out)).toEqual([1, 2, 3, 4]);
  });

  test('begins with the last matching events, after a sequence, since a time, or at the beginning', async () => {
    await send('past', '1', '2', '3');
    const tail = (...words: readonly string[]) =>
      ok('events', 'tail', '--tag', '^past$', '--with-data', '--json', ...words);
    const last = await tail('-n', '2', '--count', '2');
    expect(valuesOf(last)).toEqual([2, 3]);
    const [second] = linesOf(last);
    expect(valuesOf(await tail('--since', String(second?.sequence), '--count', '1'))).toEqual([3]);
    for (const since of ['oldest', '10m']) expect(valuesOf(await tail('--since', since, '--count', '1'))).toEqual([1]);
    expect((await ends('events', 'tail', '--since', 'newest', '--timeout', '300ms')).code).toBe(5);
  });

  test('runs a command for each event, which need not read it', async () => {
    await send('exec', '1', '2');
    const words = ['events', 'tail', '--tag', '^exec$', '--since', 'oldest', '--count', '2', '-q'];
    const shown = await ok(...words, '--exec', `node -p 'JSON.parse(fs.readFileSync(0)).message.header.tag'`);
    expect(shown.split('\n').filter((line) => line === 'exec')).toHaveLength(2);
    expect((await ends(...words, '--exec', 'exit 3')).code).toBe(0);
  });

  test('exits only after the command that runs when its time is up', async () => {
    await send('late', '1', '2', '3');
    const words = [
      'events',
      'tail',
      '--tag',
      '^late$',
      '--since',
      'oldest',
      '--timeout',
      '2s',
      '--with-data',
      '--json',
    ];
    const { code, out } = await cli.run([...words, '--exec', 'sleep 3']);
    expect(code).toBe(5);
    expect(out.match(/"value":"?\d"?/g)).toHaveLength(1);
  });

  test('waits for its node when it needs it to show an event', async () => {
    const tail = cli.shell('stack events tail -p bob --tag "^away$" --with-data --json -v --count 3 --exec "sleep 2"');
    await following(tail, 'bob');
    await send('away', '1', '2', '3');
    await ok('stop', '-p', 'bob', '-q');
    await expect.poll(tail.err, byCommand).toContain('no connection to bob');
    await ok('start', '-q');
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    expect(valuesOf(out)).toEqual([1, 2, 3]);
  });

  test.each([
    ['late', ''],
    ['late-durable', '--durable late --create'],
  ])('of all parties has what a party that was away has had since it began: %s %s', async (tag, durable) => {
    await ok('stop', '-p', 'bob', '-q');
    const tail = cli.shell(
      `stack events tail --all-parties --tag "^${tag}$" ${durable} --json --with-data -v --count 4`,
    );
    await following(tail, 'alice');
    await expect.poll(tail.err, byCommand).toContain('no connection to bob');
    await cli.run(['broadcast', '1', '--tag', tag, '-q']);
    await ok('start', '-q');
    await send(tag, '2');
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    const came = linesOf(out).map(({ stack: { party, data = [] } }) => [party, ...data.map(({ value }) => value)]);
    for (const party of ['alice', 'bob'])
      expect(came.filter(([name]) => name === party)).toEqual([
        [party, 1],
        [party, 2],
      ]);
  });

  test('exits with 4 if the node is gone and it should not wait for it', async () => {
    const tail = cli.shell('stack events tail -p bob --no-reconnect -v');
    await following(tail, 'bob');
    await ok('restart', '-p', 'bob', '-q');
    expect((await tail.ended).code).toBe(4);
  });
});

describe('A durable subscription from the command line', () => {
  test('continues where its reader stopped', async () => {
    expect((await ends('events', 'tail', '--durable', 'resume')).code).toBe(3);
    await ok('subs', 'create', 'resume', '--tag', '^resume$', '--read-ahead', '10');
    await send('resume', '1', '2', '3');
    const tail = (...words: readonly string[]) =>
      ok('events', 'tail', '--durable', 'resume', '--with-data', '--json', ...words);
    expect(valuesOf(await tail('--count', '1'))).toEqual([1]);
    expect(valuesOf(await tail('--no-ack', '--count', '2'))).toEqual([2, 3]);
    expect(valuesOf(await tail('--count', '2'))).toEqual([2, 3]);
    await expect
      .poll(() => okJson('subs', 'get', 'resume'), byCommand)
      .toMatchObject({ name: 'resume', status: { inFlight: 0 } });
  });

  test('keeps an event whose command fails, and exits with 8', async () => {
    const words = ['events', 'tail', '--durable', 'work', '--create', '--tag', '^work$', '--since', 'oldest'];
    await send('work', '1', '2');
    const failed = await ends(...words, '--exec', 'exit 3', '--count', '1');
    expect(failed.code).toBe(8);
    expect(valuesOf(await ok(...words, '--with-data', '--json', '--count', '2'))).toEqual([1, 2]);
    expect((await ends(...words.slice(0, 4), '--create', '--tag', 'other')).code).toBe(10);
    expect((await ends('events', 'tail', '--durable', 'work', '--tag', 'x')).code).toBe(2);
  });

  test('is created, found by name or beginning of its id, replaced, and deleted after confirmation', async () => {
    const id = await ok('subs', 'create', 'one', '--events', '^message_', '--first', 'oldest', '-q');
    expect((await ends('subs', 'create', 'one')).code).toBe(7);
    const replaced = await okJson('subs', 'create', 'one', '--replace', '--topics', 'a', '--first', '3');
    // Its first event was determined when it was created.
    const options = { firstEvent: '-1', firstEventGiven: 'oldest' };
    expect(replaced).toMatchObject({ id, filter: { message: { topics: 'a' } }, options });
    expect(await okJson('subs', 'get', id.slice(0, 8))).toMatchObject({ id, name: 'one' });
    expect(await ok('subs', 'list', '--columns', 'name,filter', '--no-headers')).toContain('one\tmessage.topics=a');
    expect((await ends('subs', 'delete', 'one')).code).toBe(2);
    expect(await okJson('subs', 'delete', 'one', '--yes')).toMatchObject({ deleted: 'one', id, party: 'alice' });
    expect((await ends('subs', 'get', 'one')).code).toBe(3);
    expect((await ends('subs', 'create', 'hook', '--transport', 'webhooks')).code).toBe(2);
  });
});

describe('Forwarded events', () => {
  test('are repeated in order until answered with 2xx; a restart repeats none that was', async () => {
    const target = await startTarget();
    try {
      target.status = 500;
      await send('forward', '1', '2', '3');
      const words = `--to ${target.url} --durable forward --create --since oldest --tag '^forward$'`;
      const forward = cli.shell(`stack events forward ${words} --with-data --count 2 --print-body`);
      await expect.poll(() => target.came.length).toBeGreaterThan(1);
      target.status = 204;
      const { code, out } = await forward.ended;
      expect(code).toBe(0);
      expect(out).toMatch(/^→ message_confirmed [0-9a-f-]{36}\n← 500 \d+ms · again in 250 ms\n {2}"\\u\{1b\}\[31m"\n/);
      target.status = 200;
      await ok('events', 'forward', '--to', target.url, '--durable', 'forward', '--with-data', '--count', '1', '-q');
      const values = target.came.map(({ body }) => body.stack.data?.[0]?.value);
      expect([...new Set(values)]).toEqual([1, 2, 3]);
      expect(values.filter((value) => value !== 1)).toEqual([2, 3]);
      expect(new Set(target.came.map(({ id }) => id)).size).toBe(3);
    } finally {
      target.server.close();
    }
  });

  test('need a URL that accepts a POST, without a password', async () => {
    for (const to of ['nonsense', 'ftp://127.0.0.1', 'http://a:b@127.0.0.1:1']) {
      expect((await ends('events', 'forward', '--to', to)).code).toBe(2);
    }
    expect((await ends('events', 'forward')).code).toBe(2);
  });
});

describe('Events of the past', () => {
  test('are listed with the values of their messages, with the original spelling', async () => {
    await send('listed', '{"n":1.0}');
    const listed = await ok('events', 'list', '--type', 'message_confirmed', '--limit', '1', '--with-data', '--json');
    expect(listed).toContain('"stack":{"schemaVersion":1,"data":[');
    expect(listed).toContain('"value":{"n":1.0}');
    expect((await ok('events', 'list', '--limit', '1', '--with-data', '--no-headers')).split('\t').at(-1)).toBe(
      '{"n":1.0}',
    );
  });
});

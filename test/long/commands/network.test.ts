import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ended, programFile } from '../../e2e/fixtures/cli.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** Completes a line as bash does: splits it into words as bash would, and calls the function of the script. */
const bashTab = `
export STACK_COMPLETION_TIMEOUT=1m
eval "$(stack autocomplete bash)"
complete -p stack | grep -q -- '-F _parley_complete' || exit 3
tab() {
  COMP_LINE=$1 COMP_POINT=\${#1}
  read -ra COMP_WORDS <<< "\${1//=/ = }"
  [[ $1 == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _parley_complete
  echo "\${COMPREPLY[*]}"
}`;

const cli = createStackCli('minimal');
const { ok, okJson, following } = cli;
const escape = '\u001b';

beforeAll(cli.start);
afterAll(cli.remove);

describe('The command line, with a stack,', () => {
  test('shows its state', async () => {
    expect(await okJson('status')).toMatchObject({
      schemaVersion: 1,
      name: 'dev',
      state: 'running',
      parties: { alice: { pending: 0, waiting: [] }, bob: { pending: 0 } },
    });
    expect(await okJson('start')).toMatchObject({ alreadyRunning: true });
    const port = await ok('port', 'alice');
    expect(await ok('port', 'alice', '--peer')).toMatch(/^\d+$/);
    expect(await ok('port', 'alice', '--peer')).not.toBe(port);
    expect(await ok('env')).toContain(`export STACK_ALICE_URL=http://127.0.0.1:${port}\n`);
    expect(await ok('open', '--print')).toBe(`http://127.0.0.1:${port}/ui`);
    expect(await ok('logs', 'alice')).toContain('Ready');
    expect(await okJson('wait', '--for', 'healthy', '--for', 'idle')).toMatchObject({ met: ['healthy', 'idle'] });
  });

  test('restarts one party and starts no other', async () => {
    await ok('stop', '-p', 'bob', '-q');
    expect(await ok('restart', '-p', 'alice')).toMatch(/✓ alice.*\n· bob.*\nNot running: bob\./);
    expect(await okJson('status')).toMatchObject({ state: 'degraded', parties: { alice: {} } });
    await ok('start', '-q');
  });

  test('reports on Ctrl-C during a restart what is left, and a second start joins the first', async () => {
    const first = cli.begin(['restart', '--progress', 'json']);
    await expect.poll(first.err).toContain('"starting"');
    first.child.kill('SIGINT');
    const { code, err } = await first.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/dev is still starting\. Wait for it: stack start dev.*stack stop dev\n$/);
    await ok('stop', '-q');
    const both = await Promise.all([cli.run(['start', '--json']), cli.run(['start', '--json'])]);
    expect(both.map((each) => each.code)).toEqual([0, 0]);
    const already = both.map(({ out }) => (JSON.parse(out) as { readonly alreadyRunning: boolean }).alreadyRunning);
    expect(already.toSorted()).toEqual([false, true]);
    expect(both.map((each) => each.err).join('')).toMatch(/Waiting for another command \(start, pid \d+\)\./);
  });

  test('starts what a checkout defines, and creates what is not committed', async () => {
    const project = join(cli.directory, 'checkout');
    await mkdir(project);
    const definition = 'apiVersion: stack/v1\nname: shop\nparties: [alice, bob]\nports: {base: os}\n';
    await writeFile(join(project, 'stack.yaml'), definition);
    const status = await cli.run(['status'], { directory: project });
    expect(status).toMatchObject({ code: 3, err: expect.stringContaining('stack start') });
    const started = await cli.run(['start', '--no-wait'], { directory: project });
    expect(started).toMatchObject({ code: 0, err: expect.stringMatching(/^Created keys and ports for shop/) });
    const second = join(cli.directory, 'above', 'second');
    await mkdir(second, { recursive: true });
    await writeFile(join(cli.directory, 'above', 'stack.yaml'), 'resolver: lts-22.0\n');
    expect(await cli.run(['status', '-q'], { directory: join(cli.directory, 'above') })).toMatchObject({ code: 0 });
    await writeFile(join(second, 'stack.yaml'), definition);
    const other = await cli.run(['start', '--no-wait', '--json'], { directory: second });
    const { name } = JSON.parse(other.out) as { readonly name: string };
    expect(name).toMatch(/^shop-[0-9a-f]{4}$/);
    expect(await ok('list')).toMatch(new RegExp(`^shop\t.*\n${name}\t`, 'm'));
    await ok('remove', 'shop', name, '--yes', '--force');
    expect(await readFile(join(project, 'stack.yaml'), 'utf8')).toBe(definition);
  });

  test('sends a value with its spelling, and shows it so at every party', async () => {
    const value = '{"n":1.0,"b":12345678901234567890,"a":"\\u0041"}';
    const id = await ok('broadcast', value.replaceAll(',', ' ,\n '), '--wait', 'all', '-q');
    for (const party of ['alice', 'bob']) {
      expect(await ok('messages', 'data', id, '-p', party, '--json')).toContain(`"value":${value}`);
      expect(await ok('messages', 'data', id.slice(0, 8), '-p', party, '-q')).toBe(value);
    }
  });

  test('prints the record unchanged, with one additional member', async () => {
    const out = await ok(
      'broadcast',
      '"x"',
      '--wait',
      'all',
      '--tag',
      'order',
      '--topic',
      'a',
      '--topic',
      'b',
      '--json',
    );
    const sent: { readonly header: { readonly id: string }; readonly stack: unknown } = JSON.parse(out);
    const served = await ok('api', 'GET', `messages/${sent.header.id}`);
    expect(out.startsWith(served.slice(0, -1))).toBe(true);
    expect(sent).toMatchObject({
      header: { tag: 'order', topics: ['a', 'b'] },
      stack: { schemaVersion: 1, parties: { alice: { state: 'confirmed' }, bob: { state: 'confirmed' } } },
    });
    expect(await ok('messages', 'list', '--limit', '3', '--json')).toBe(await ok('api', 'GET', 'messages?limit=3'));
  });

  test('is found by its name from a directory that was deleted', async () => {
    const line = 'mkdir gone && cd gone && rmdir ../gone && stack status dev -q && stack start dev -q';
    expect(await cli.shell(line).ended).toMatchObject({ code: 0, out: 'running\ndev\n' });
  });

  test('reads a value from a slow stdin completely', async () => {
    const sent = await cli.shell(`(sleep 1; echo '{"a":1}'; sleep 1; echo ' ') | stack broadcast - -q`).ended;
    expect(sent.code).toBe(0);
    expect(await ok('messages', 'data', sent.out.trim(), '-q')).toBe('{"a":1}');
  });

  test.runIf(existsSync('/bin/bash'))('completes its own words and records of the node in a real bash', async () => {
    const id = await ok('broadcast', '1', '--tag', 'tabbed', '--wait', 'all', '-q');
    const script = join(cli.directory, 'complete.bash');
    const typed = [
      'stack messages get ',
      `stack messages get ${id.slice(0, 9)}`,
      'stack broadcast x --tag=tab',
      'stack send x --to alice,',
      'stack wait --for ',
      'stack messages get --url http://127.0.0.1:1 ',
    ];
    const lines = typed.map((line) => `tab '${line}'`);
    await writeFile(script, [`stack() { '${process.execPath}' '${programFile}' "$@"; }`, bashTab, ...lines].join('\n'));
    const { code, out, err } = await cli.shell(`bash '${script}'`).ended;
    expect([code, err]).toEqual([0, '']);
    const [ids, one, tags, others, conditions, unheard] = out.split('\n');
    expect(ids?.split(' ')[0]).toBe(id);
    expect(one).toBe(id);
    // Bash takes the part after = as a separate word.
    expect(tags).toBe('tabbed');
    expect(others).toBe('alice,alice alice,bob');
    expect(conditions).toContain('idle block= event=');
    expect(unheard).toBe('');
  });

  test('waits for a block, and for an event that arrives during the wait', async () => {
    await ok('broadcast', '1', '--tag', 'awaited-1', '--wait', 'all');
    const early = await cli.run(['wait', '--for', 'event=^awaited-', '--timeout', '300ms']);
    expect([early.code, early.err]).toEqual([5, expect.stringContaining('no such event at alice')]);
    const waiting = cli.shell('stack wait --for event=^awaited- --for block=3 --json').ended;
    let ended: Ended | undefined;
    void waiting.then((each) => (ended = each));
    // When the wait has started is not visible from outside, so events are sent until it ends.
    for (let n = 2; ended === undefined && n < 100; n++) await ok('broadcast', '1', '--tag', `awaited-${n}`);
    const { code, out } = await waiting;
    expect([code, JSON.parse(out)]).toMatchObject([0, { met: ['event=^awaited-', 'block=3'] }]);
    const far = await cli.run(['wait', '--for', 'block=999999', '--timeout', '200ms']);
    expect([far.code, far.err]).toEqual([5, expect.stringMatching(/the chain is at block \d+/)]);
    expect(await cli.run(['wait', '--for', 'event=('])).toMatchObject({ code: 2 });
  });

  test('does not read stdin unless it is asked to', async () => {
    const line = `printf '1\\n2\\n3\\n' | while read l; do stack send "$l" --to bob -q; done`;
    expect((await cli.shell(line).ended).out.trim().split('\n')).toHaveLength(3);
  });

  test('sends a message for each line, and many with their numbers', async () => {
    const lines = await cli.run(['broadcast', '--lines', '--json', '--no-wait'], { input: '{"a":1}\n\ntext\r\n[2]' });
    expect(lines.code).toBe(0);
    const ids = lines.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).header.id);
    const values = await Promise.all(ids.map((id: string) => ok('messages', 'data', id, '-q')));
    expect(values).toEqual(['{"a":1}', '"text"', '[2]']);
    const numbered = await ok('broadcast', '{"n":{{n}}}', '--count', '3', '--dry-run');
    expect(numbered.match(/"n":\d/g)).toEqual(['"n":1', '"n":2', '"n":3']);
  });

  test('finds the first message of an idempotency key', async () => {
    const first = await ok('broadcast', '1', '--idempotent', 'once', '-q');
    const second: unknown = await okJson('broadcast', '1', '--idempotent', 'once');
    expect(second).toMatchObject({ header: { id: first }, stack: { duplicate: true } });
  });

  test('shows the refusal of a node, and exits with 7', async () => {
    const { code, out } = await cli.run(['broadcast', '1', '--topic', 'not a name', '--json']);
    expect(code).toBe(7);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'REJECTED', details: { nodeCode: 'FF00140', status: 400 } },
    });
    const raw = await cli.run(['api', 'GET', 'messages?limt=1']);
    expect(raw.code).toBe(7);
    expect(raw.out).toContain('FF00142');
    expect((await cli.run(['messages', 'get', '00000000-0000-4000-8000-000000000000'])).code).toBe(3);
  });

  test('follows events of every party, and escapes text from the network', async () => {
    const tail = cli.shell('stack events tail --all-parties --with-data --tag "^tail" --count 2 -v');
    await following(tail, 'alice', 'bob');
    await ok('broadcast', '1', '--tag', 'other');
    await ok('broadcast', `"\\u001b[31m \u0085 \u202e"`, '--tag', 'tail-1');
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => /message_confirmed .* tag=(\S+)/.exec(line)?.[1]),
    ).toEqual(['tail-1', 'tail-1']);
    expect(out).toContain('"\\u001b[31m \\u{85} \\u{202e}"');
    expect(out).not.toMatch(/[\u001b\u0085\u202e]/);
  });

  test('ends a tail at the awaited event, and when time is up', async () => {
    const tail = cli.shell('stack events tail --type message --until tag=done --json -v');
    await following(tail, 'alice');
    await ok('broadcast', '1', '--tag', 'begun');
    await ok('broadcast', '1', '--tag', 'done');
    const { code, out } = await tail.ended;
    expect(code).toBe(0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { type: 'message_confirmed', message: { header: { tag: 'begun' } }, stack: { schemaVersion: 1, party: 'alice' } },
      { message: { header: { tag: 'done' } } },
    ]);
    expect((await cli.run(['events', 'tail', '--timeout', '300ms'])).code).toBe(5);
  });

  test.runIf(process.platform === 'linux')('ends a tail whose reader has exited', async () => {
    const tail = cli.shell('(stack events tail -v; echo "left with $?" >&2) | head -1');
    await following(tail, 'alice');
    await ok('broadcast', '1');
    const { out, err } = await tail.ended;
    expect(out.split('\n')).toHaveLength(2);
    expect(err).toContain('left with 0');
  });

  test('writes no escape byte, whatever a message contains', async () => {
    await ok('broadcast', `"\\u001b[31m\u009b31m"`);
    for (const environment of [{ NO_COLOR: '1' }, { CI: 'true' }, { TERM: 'dumb' }]) {
      const commands = [
        ['messages', 'list', '--with-data'],
        ['status'],
        ['logs', '-n', '5'],
        ['messages', 'list', '--json'],
      ];
      const outputs: Ended[] = await Promise.all(commands.map((words) => cli.run(words, { environment })));
      for (const { code, out, err } of outputs) {
        expect(code).toBe(0);
        expect(out + err).not.toContain(escape);
      }
    }
  });

  test('names the party that has not confirmed in time; it confirms after its start', async () => {
    await ok('stop', '-p', 'bob');
    const { code, out, err } = await cli.run(['broadcast', '"late"', '--wait', 'all', '--timeout', '3s']);
    expect(code).toBe(5);
    expect(err).toContain('bob');
    const id = out.trim();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await ok('start');
    await ok('wait', '--for', `message=${id}@all`, '--timeout', '60s');
    expect(await ok('messages', 'data', id, '-p', 'bob', '-q')).toBe('"late"');
  });

  test('stops, starts, resets and removes', async () => {
    const before = await ok('messages', 'list', '--json', '--limit', '1000');
    expect(await okJson('stop')).toMatchObject({ stopped: ['dev'], alreadyStopped: [] });
    expect(await okJson('stop')).toMatchObject({ stopped: [], alreadyStopped: ['dev'] });
    expect((await cli.run(['messages', 'list'])).code).toBe(4);
    expect(await ok('logs', 'alice', '-n', '1')).toContain('Stopped');
    expect(await ok('start')).toMatch(/^✓ chain .*:\d+ {3}block (\d+) \(\1 replayed\)\n✓ store .*\n✓ alice .* \/ui\n/m);
    expect(await okJson('start')).toMatchObject({
      state: 'running',
      alreadyRunning: true,
      services: expect.arrayContaining([
        expect.objectContaining({ name: 'bob', ui: await ok('open', 'bob', '--print') }),
      ]),
    });
    expect(await ok('messages', 'list', '--json', '--limit', '1000')).toBe(before);
    expect(await okJson('reset', '--yes')).toMatchObject({ reset: 'dev', restarted: true });
    expect(await ok('messages', 'list', '--json')).toBe('[]');
    expect(await okJson('remove', 'dev', '--yes')).toMatchObject({ removed: ['dev'], leftovers: [] });
    expect(await okJson('list')).toEqual({ schemaVersion: 1, stacks: [] });
  });
});

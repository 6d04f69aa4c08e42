import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { situations } from '../../e2e/fixtures/situations.js';
import { byCommand, createStackCli } from '../../e2e/fixtures/stack-cli.js';

const cli = createStackCli('default');
const { ok, okJson, ends } = cli;

beforeAll(cli.start);
afterAll(cli.remove);

describe('The nodes of a stack, one by one,', () => {
  test('are paused and resumed, each once', async () => {
    expect(await okJson('party', 'pause', 'bob')).toMatchObject({ party: 'bob', state: 'paused', changed: true });
    expect(await ok('party', 'pause', 'bob')).toBe('bob is already paused');
    expect(await ok('party', 'list', '--columns', 'party,state', '--no-headers')).toContain('bob\tpaused');
    const { code, out, err } = await cli.run(['broadcast', 'x', '--wait', 'all', '--timeout', '2s', '-q']);
    expect([code, out.trim().length]).toEqual([5, 36]);
    expect(err).toContain('blocked: at bob: bob is paused · Try: stack party resume bob');
    expect(await ends('broadcast', 'y', '-p', 'bob', '--timeout', '2s')).toMatchObject({
      code: 5,
      said: expect.stringMatching(/bob of the stack .* is paused .*may still be executed[^]* party resume bob -s /),
    });
    expect((await ends('messages', 'get', out.trim(), '--party', 'all')).said).toMatch(/^bob\t-\t-\tis paused/m);
    expect(await okJson('party', 'resume', 'bob')).toMatchObject({ state: 'healthy', changed: true });
    expect(await ok('party', 'resume', 'bob')).toBe('bob is already running');
    await ok('messages', 'watch', out.trim(), '--party', 'all');
  });

  test('are stopped and started, and report what does not exist', async () => {
    expect(await ok('party', 'stop', 'bob')).toBe('✓ bob is stopped');
    expect(await okJson('party', 'stop', 'bob')).toMatchObject({ state: 'stopped', changed: false, forced: false });
    expect(await okJson('stop', '-p', 'bob')).toMatchObject({ stopped: [], alreadyStopped: ['bob'] });
    expect(await ends('messages', 'list', '-p', 'bob')).toMatchObject({
      code: 4,
      said: expect.stringMatching(/bob of the stack .* is stopped \(for \d+s\)[^]* party start bob -s /),
    });
    expect(await ends('party', 'pause', 'bob')).toMatchObject({
      code: 4,
      said: expect.stringContaining('bob is stopped'),
    });
    expect(await ok('party', 'start', 'bob')).toMatch(/^✓ bob is running again after .* http:\/\/127\.0\.0\.1:\d+$/);
    expect(await ok('party', 'start', 'bob')).toBe('bob is already running');
    expect(await okJson('party', 'restart', 'bob')).toMatchObject({ party: 'bob', state: 'healthy', changed: true });
    expect(await ends('party', 'stop', 'bop')).toMatchObject({
      code: 3,
      said: expect.stringContaining('did you mean "bob"'),
    });
    expect(await ends('party', 'stop', 'chain')).toMatchObject({ code: 3 });
    expect(await ends('party', 'stop')).toMatchObject({ code: 2 });
  });
});

describe('An added party', () => {
  test('joins after 1,000 messages under load, with its command killed, and has everything public', async () => {
    const secret = 'only-for-bob-and-alice';
    const file = join(cli.directory, 'private.bin');
    writeFileSync(file, `${secret} in a file`);
    await ok('send', secret, '-f', file, '--to', 'bob', '--wait', 'all', '-q');
    const many = (topic: string, party: string) =>
      ok('broadcast', '{"n":{{n}}}', '--count', '500', '--concurrency', '50', '--topic', topic, '-p', party, '-q');
    const earlier = await Promise.all([many('order', 'alice'), many('price', 'carol')]);
    const pids = await pidsOf();
    const load = cli.begin(['broadcast', '{"n":{{n}}}', '--count', '450', '--topic', 'order', '-p', 'bob', '-q']);
    const first = cli.begin(['party', 'add', 'dave', '--org', 'dave-ltd', '--progress', 'json']);
    await expect.poll(first.err).toContain('contracts');
    first.child.kill('SIGKILL');
    await first.ended;
    const joined = await okJson('party', 'add', 'dave');
    expect(joined).toMatchObject({ party: 'dave', organization: 'dave-ltd', outcome: 'joined' });
    expect(await pidsOf()).toMatchObject(pids);
    expect(await ok('api', 'GET', '/ui/_config', '-p', 'alice')).toContain('"name":"dave"');
    load.child.kill('SIGINT');
    const during = await load.ended;
    await ok('broadcast', '"from dave"', '-p', 'dave', '--wait', 'all', '-q');
    await ok('wait', '--for', 'idle');
    const sent = [...earlier, during.out].flatMap((ids) => ids.split('\n').filter((id) => id !== ''));
    expect(sent.length).toBeGreaterThan(1_000);
    const told: string[] = [];
    for (const topic of ['order', 'price']) {
      const atDave = await orderAt('dave', topic);
      for (const party of ['alice', 'bob', 'carol']) expect(await orderAt(party, topic)).toEqual(atDave);
      told.push(...atDave);
    }
    expect(told).toEqual(expect.arrayContaining(sent));
    const organizations = JSON.parse(await ok('api', 'GET', '/api/v1/network/organizations')) as unknown[];
    expect(organizations).toHaveLength(4);
    const data = join(cli.directory, 'home/stacks/dev/data/nodes/dave');
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name)).includes(secret)).toBe(false);
  });

  test('is a member once, and reports invalid requests', async () => {
    expect(await ok('party', 'add', 'dave')).toMatch(/^dave is already a member of dev/);
    expect(await ends('party', 'add', 'dave', '--org', 'other')).toMatchObject({ code: 10 });
    expect(await ends('party', 'add', 'chain')).toMatchObject({ code: 2, said: expect.stringContaining('chain') });
    expect(await ends('party', 'add', 'Dave!')).toMatchObject({ code: 2 });
    expect(await ends('party', 'add', 'erin', '--key', '0x1')).toMatchObject({ code: 2 });
    expect(await ends('party', 'add', 'erin', '--external')).toMatchObject({
      code: 2,
      said: expect.stringContaining('party invite erin'),
    });
    const taken = await ok('port', 'alice');
    expect(await ends('party', 'add', 'erin', '--port', taken)).toMatchObject({ code: 6 });
    expect(await ok('party', 'list', '-q')).toBe('alice\nbob\ncarol\ndave');
  });

  test('that was written into stack.yaml does not disturb the stack, and joins at the next start', async () => {
    const pids = await pidsOf();
    await ok('config', 'set', 'parties.4=frank');
    await ok('broadcast', 'x', '--wait', 'all', '-q');
    expect(await ends('broadcast', 'x', '-p', 'frank')).toMatchObject({
      code: 4,
      said: expect.stringContaining('party add frank'),
    });
    expect((await ends('status')).said).toContain('party add frank');
    await ok('start', '-q');
    await ok('broadcast', 'x', '-p', 'frank', '--wait', 'all', '-q');
    expect(await pidsOf()).toMatchObject(pids);
  });
});

describe('A network that is disturbed', () => {
  test('confirms messages in order after a cut link is cleared', async () => {
    expect(await ok('fault', 'cut', 'alice', 'bob')).toBe('! f1: the link alice ↔ bob is cut');
    const first = await ok('send', 'first', '--to', 'bob,carol', '--topic', 'cut', '--no-wait', '-q');
    await ok('messages', 'watch', first, '-p', 'carol');
    const second = await ok('send', 'second', '-p', 'carol', '--to', 'alice,bob', '--topic', 'cut', '-q');
    const atBob = JSON.parse(await ok('api', 'GET', 'messages?topics=cut&state=confirmed', '-p', 'bob')) as unknown[];
    expect(atBob).toEqual([]);
    expect((await ends('status')).said).toContain('the link alice ↔ bob is cut (stack fault clear f1)');
    expect(await okJson('status')).toMatchObject({ faults: [{ id: 'f1', kind: 'cut', from: 'alice', to: 'bob' }] });
    expect(await okJson('fault', 'cut', 'bob', 'alice')).toMatchObject({ fault: { id: 'f1' } });
    expect(await ok('fault', 'clear')).toBe('✓ cleared f1: the link bob ↔ alice is cut');
    // Watching a message that bob has not received yet is an error.
    await expect.poll(() => orderAt('bob', 'cut'), byCommand).toEqual([first, second]);
    await ok('messages', 'watch', first, '-p', 'bob');
    await ok('messages', 'watch', second, '-p', 'bob');
  });

  test('is complete in the end behind a slow link, and behind reads that fail for a time', async () => {
    expect(await ok('fault', 'delay', 'alice', 'bob', '300ms', '--one-way', '-q')).toBe('f1');
    expect(await ok('fault', 'drop', 'carol', '--for', '1s', '-q')).toBe('f2');
    await ok('broadcast', 'x', '--wait', 'all', '-q');
    await ok('send', 'x', '--to', 'bob', '--wait', 'all', '-q');
    expect(await ok('fault', 'list', '-q')).toBe('f1');
    expect(await ok('fault', 'clear', 'f1', '-q')).toBe('f1');
    expect(await ok('fault', 'clear')).toBe('No fault is set');
  });

  test('decides nothing while no block is mined, and everything that waited with the next block', async () => {
    expect(await ok('chain', 'pause')).toContain('mining is paused');
    expect(await ok('chain', 'pause')).toBe('mining is already paused');
    const held = await ok('broadcast', 'held', '--no-wait', '-q');
    await expect.poll(() => okJson('chain', 'info'), byCommand).toMatchObject({ mining: 'paused', waiting: 1 });
    expect(await okJson('messages', 'get', held)).toMatchObject({ state: 'ready' });
    expect(await okJson('status')).toMatchObject({ parties: { alice: { pending: 1, pendingTopics: ['default'] } } });
    expect((await ends('status')).said).toContain(
      'mining is paused; 1 transaction waits for a block (stack chain resume)',
    );
    expect(await okJson('chain', 'accounts', 'create')).toMatchObject({ funded: false });
    expect(await okJson('chain', 'mine')).toMatchObject({ mined: 1 });
    await ok('messages', 'watch', held, '-p', 'all');
    const { time } = await headTime();
    expect(await okJson('chain', 'advance', '1h')).toMatchObject({ advancedMs: 3_600_000, paused: true });
    expect(await okJson('chain', 'resume')).toMatchObject({ mining: 'auto', changed: true });
    expect(await ok('chain', 'resume')).toBe('mining is already running');
    expect(await ok('chain', 'mine', '3')).toMatch(/^✓ 3 blocks mined; the newest is \d+$/);
    expect(Date.parse((await headTime()).time) - Date.parse(time)).toBeGreaterThanOrEqual(3_600_000);
    expect(await ends('chain', 'mine', 'many')).toMatchObject({ code: 2 });
    expect(await ends('chain', 'advance', '10ms')).toMatchObject({ code: 2 });
    await ok('broadcast', 'x', '--wait', 'all', '-q');
  });

  test.each(situations)('is explained: $name', async ({ make, exit = 8, at, code, says, remedy, mend }) => {
    // The following situations share the stack, so this one must end even if the test fails.
    onTestFailed(async () => {
      await ok('fault', 'clear');
      await mend?.(cli);
    });
    const id = await make(cli);
    const explained = async () => {
      const { code: ended, out } = await cli.run(['explain', id, '--json']);
      const { reason, parties } = JSON.parse(out) as Explained;
      return { ended, reason, cause: parties.find(({ party }) => party === at)?.cause ?? undefined };
    };
    const shown = async () => {
      const { ended, cause } = await explained();
      return [ended, cause?.code, ...(remedy === undefined ? [] : [cause?.remedy])];
    };
    const offered = remedy === undefined ? [] : [expect.stringMatching(remedy)];
    await expect.poll(shown, byCommand).toEqual([exit, code, ...offered]);
    expect((await cli.run(['explain', id])).out).toMatch(says);
    await mend?.(cli);
    if (mend !== undefined) await expect.poll(async () => (await explained()).ended, byCommand).toBe(0);
  });

  test('is explained as a whole, and reports when nothing is delayed', async () => {
    expect(await ends('explain')).toEqual({
      code: 0,
      said: 'Nothing is blocked: every message is decided at every party.\n',
    });
    await ok('party', 'pause', 'carol');
    await ok('fault', 'drop', 'bob');
    const { code, said } = await ends('explain');
    expect(code).toBe(8);
    expect(said).toContain('what bob reads from the shared store fails (stack fault clear f1)');
    expect(said).toContain('carol is paused');
    expect(await ends('explain', '00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 3 });
    await ok('fault', 'clear');
    await ok('party', 'resume', 'carol');
  });

  test('reports what cannot be disturbed, and clears all faults when it stops', async () => {
    expect(await ends('fault', 'cut', 'alice', 'alice')).toMatchObject({ code: 2 });
    expect(await ends('fault', 'cut', 'alice', 'zoe')).toMatchObject({ code: 3 });
    expect(await ends('fault', 'delay', 'alice', 'bob', 'soon')).toMatchObject({ code: 2 });
    expect(await ends('fault', 'clear', 'f7')).toMatchObject({ code: 3 });
    await ok('fault', 'drop', 'bob', '-q');
    await ok('stop', '-q');
    expect(await okJson('fault', 'list')).toMatchObject({ faults: [] });
    expect(await ends('fault', 'drop', 'bob')).toMatchObject({ code: 4 });
    expect(await ends('party', 'pause', 'bob')).toMatchObject({ code: 4 });
  });
});

interface Explained {
  readonly reason?: string;
  readonly parties: readonly {
    readonly party: string;
    readonly cause: { readonly code: string; readonly text: string; readonly remedy?: string } | null;
  }[];
}

async function pidsOf(): Promise<Readonly<Record<string, number>>> {
  const status = await okJson('status');
  const { services } = status as { readonly services: readonly { readonly name: string; readonly pid: number }[] };
  return Object.fromEntries(services.map(({ name, pid }) => [name, pid]));
}

async function headTime(): Promise<{ readonly time: string }> {
  const { head } = (await okJson('chain', 'info')) as { readonly head: { readonly time: string } };
  return head;
}

/** Returns the ids of a topic's messages in the order in which a party has confirmed them. */
async function orderAt(party: string, topic: string): Promise<readonly string[]> {
  const query = `events?type=message_confirmed&topic=${topic}&sort=sequence&limit=1000`;
  const events = JSON.parse(await ok('api', 'GET', query, '-p', party)) as readonly { readonly reference: string }[];
  return events.map(({ reference }) => reference);
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sheets } from '../../../src/cli/cheat/sheets.js';
import { createStackCli } from '../../e2e/fixtures/stack-cli.js';

/** The commands of a test suite, in one stack whose definition has pools and opening balances. */
const cli = createStackCli('tokens');
beforeAll(cli.start);
afterAll(cli.remove);

const { ok, okJson, ends } = cli;

describe('expect', () => {
  test('passes for what a network has decided, and waits for what is in progress', async () => {
    const value = { 'order.json': '{ "n": 1.0,\n "b": 12345678901234567890 }\n', 'plan.bin': '\u0000\u0001plan' };
    for (const [name, text] of Object.entries(value)) writeFileSync(join(cli.directory, name), text);
    const waiting = cli.run(['expect', 'events message_confirmed tag=order = 3 on all', '--within', '1m', '--json']);
    const id = await ok('broadcast', '@order.json', '-f', 'plan.bin', '--tag', 'order', '--topic', 'orders', '-q');
    await ok('broadcast', '{{n}}', '--tag', 'order', '--topic', 'orders', '--count', '2', '-q');
    expect(await waiting).toMatchObject({ code: 0, out: '{"schemaVersion":1,"passed":1,"failed":[]}\n' });
    const checks = [
      '# what the test has sent',
      'message tag=order author=alice confirmed on all',
      `message ${id.slice(0, 8)} confirmed on bob, carol`,
      'order topic=orders same on all',
      `data ${id} on carol equals @order.json`,
      `data ${id.slice(0, 13)} equals @plan.bin`,
      'balance coins bob = 1000 on all',
      'balance deeds alice >= 1',
      'message tag=none absent on all',
    ];
    writeFileSync(join(cli.directory, 'checks.txt'), checks.join('\n'));
    const met = await ok('expect', '-f', 'checks.txt', '--within', '30s');
    expect(met.split('\n')).toEqual(checks.slice(1).map((text) => `✓ ${text}`));
    expect(await cli.run(['expect', '-f', '-', '-q'], { input: checks.join('\n') })).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(await ok('expect', 'order', 'topic=orders', 'same', 'on', 'all')).toBe('✓ order topic=orders same on all');
  });

  test('reports the actual value, and exits with 8', async () => {
    const wrong = ['message tag=order rejected on bob', 'balance coins bob = 7', 'order topic=orders same on all'];
    const { code, said } = await ends('expect', ...wrong, '--within', '300ms');
    expect(code).toBe(8);
    expect(said).toMatch(/✗ message tag=order rejected on bob · bob: \w{8} is confirmed/);
    expect(said).toMatch(/✗ balance coins bob = 7 · alice: bob has 1000\n✓ order.*\n✗ 2 of 3 assertions not met\.\n$/);
    expect(JSON.parse((await ends('expect', 'balance coins bob = 7', '--within', '0', '--json')).said)).toEqual({
      schemaVersion: 1,
      passed: 0,
      failed: [{ line: 1, expected: 'balance coins bob = 7', actual: 'alice: bob has 1000' }],
    });
  });

  test('refuses invalid conditions and unknown parties', async () => {
    expect(await ends('expect')).toMatchObject({ code: 2, said: expect.stringContaining('No assertion was given') });
    expect(await ends('expect', 'mesage tag=a confirmed')).toMatchObject({
      code: 2,
      said: expect.stringContaining('did you mean "message"'),
    });
    expect(await ends('expect', 'order same on bobb')).toMatchObject({
      code: 3,
      said: expect.stringContaining('did you mean "bob"'),
    });
    expect(await ends('expect', 'balance coins dave = 1')).toMatchObject({ code: 3 });
    expect(await ends('expect', '-f', 'absent.txt')).toMatchObject({ code: 2 });
  });
});

describe('seed', () => {
  const steps = [
    '- {party: alice, datatype define: {file: order-1.0.json}}',
    '- {party: alice, pool create: {name: tins, type: fungible, connector: erc1155}}',
    '- {party: alice, mint: {amount: 100, pool: tins, to: bob}}',
    '- {party: bob, transfer: {amount: 30, pool: tins, to: carol, message: {for: tea}, message-to: carol}}',
    '- {party: carol, broadcast: {payload: "@first.json", datatype: order@1.0, tag: seeded}}',
    '- {party: carol, send: {payload: for bob, to: bob, tag: seeded, count: 2}}',
  ];
  const write = (name: string, text: string) => {
    writeFileSync(join(cli.directory, name), text);
  };

  test('applies each step once, waits for all parties, and skips what was applied before', async () => {
    write('order-1.0.json', '{"type":"object","required":["n"]}');
    write('first.json', '{"n": 1.0}');
    // A killed seed leaves only its first steps applied.
    write('seed.yaml', steps.slice(0, 3).join('\n'));
    expect(await okJson('seed', 'seed.yaml')).toEqual({ schemaVersion: 1, applied: 3, skipped: 0 });
    write('seed.yaml', steps.join('\n'));
    const { steps: planned } = (await okJson('seed', 'seed.yaml', '--dry-run')) as { readonly steps: unknown[] };
    expect(planned).toHaveLength(6);
    expect((await ok('seed', 'seed.yaml')).split('\n')).toEqual([
      `· datatype define -p alice ${join(cli.directory, 'order-1.0.json')} · already applied`,
      expect.stringMatching(/^· pool create -p alice .*tins · already applied$/),
      expect.stringMatching(/^· mint -p alice --to=bob --pool=tins 100 · already applied$/),
      expect.stringMatching(/^✓ transfer -p bob /),
      expect.stringMatching(/^✓ broadcast -p carol /),
      expect.stringMatching(/^✓ send -p carol /),
      '3 applied, 3 skipped',
    ]);
    expect(await okJson('seed', 'seed.yaml')).toEqual({ schemaVersion: 1, applied: 0, skipped: 6 });
    const seeded = ['balance tins bob = 70 on all', 'balance tins carol = 30 on all'];
    const sent = [
      'data tag=seeded type=broadcast on all equals {"n":1.0}',
      'events message_confirmed tag=seeded = 3 on bob',
    ];
    await ok('expect', ...seeded, ...sent);
  });

  test('applies nothing of files with a wrong step, and exits with the code of a step that fails', async () => {
    write(
      'typo.yaml',
      '- {party: alice, broadcast: {payload: first}}\n- {party: alice, broadcast: {payload: x, tga: y}}',
    );
    const typo = await ends('seed', 'typo.yaml');
    expect(typo).toMatchObject({ code: 2, said: expect.stringMatching(/typo\.yaml:2:\d+: .*did you mean "tag"/) });
    write('whom.yaml', '- {party: dave, broadcast: {payload: first}}');
    expect(await ends('seed', 'whom.yaml')).toMatchObject({ code: 3, said: expect.stringContaining('whom.yaml:1:3') });
    write('other.yaml', steps[0]?.replace('order-1.0.json', 'changed.json, name: order, version: "1.0"') ?? '');
    write('changed.json', '{"type":"string"}');
    expect(await ends('seed', 'other.yaml')).toMatchObject({ code: 10, said: expect.stringContaining('order@1.0') });
    write('other.yaml', '- {party: bob, pool create: {name: tins, type: nonfungible, connector: erc1155}}');
    expect(await ends('seed', 'other.yaml')).toMatchObject({ code: 10 });
    const early = '- {party: alice, broadcast: {payload: 1, tag: early}}\n';
    write(
      'late.yaml',
      early + (steps[0]?.replace('order-1.0.json', 'changed.json, name: order, version: "1.0"') ?? ''),
    );
    expect(await ends('seed', 'late.yaml')).toMatchObject({ code: 10, said: expect.stringContaining('late.yaml:2:3') });
    expect(await ok('messages', 'list', '--filter', 'tag=early', '-q')).toBe('');
    write('poor.yaml', '- {party: carol, burn: {amount: 31, pool: tins}}');
    const poor = await ends('seed', 'poor.yaml', '--json');
    expect(poor.code).toBe(7);
    expect(JSON.parse(poor.said)).toMatchObject({
      error: { code: 'REJECTED', message: expect.stringContaining('poor.yaml:1:3 (burn)') },
    });
    expect(await ends('seed', 'absent.yaml')).toMatchObject({ code: 2 });
    expect(await ends('seed')).toMatchObject({ code: 2 });
  });
});

describe('trigger', () => {
  test('runs every scenario of the package, and checks it', async () => {
    const { triggers } = (await okJson('trigger', '--list')) as { readonly triggers: { readonly name: string }[] };
    expect(triggers).toHaveLength(12);
    for (const { name } of triggers) {
      const { steps } = (await okJson('trigger', name)) as { readonly steps: { readonly state: string }[] };
      expect(steps.map(({ state }) => state)).not.toContain('skipped');
    }
    expect(await okJson('status')).toMatchObject({ state: 'running', faults: [] });
    expect(await okJson('chain', 'info')).toMatchObject({ mining: 'auto' });
  });

  test('can be changed, skips steps on request, and names the step that failed and the reason', async () => {
    const out = await ok('trigger', 'hello', '--override', 'send.broadcast.payload={"to":"mars"}', '--skip', 'check');
    expect(out).toMatch(/^✓ send · \d.*\n· check · skipped\nhello: 2 steps in /);
    const wrong = ['--override', 'check.expect=message tag={{run}} rejected', '--within', '100ms'];
    const { code, said } = await ends('trigger', 'hello', ...wrong);
    expect(code).toBe(8);
    expect(said).toMatch(/✗ hello, step check: expected ✗ message tag=t\w{8} rejected · alice: \w{8} is confirmed/);
    expect((await ends('trigger', 'helo')).said).toContain('did you mean "hello"');
    expect(await ends('trigger', 'hello', '--skip', 'chek')).toMatchObject({ code: 2 });
    expect(await ends('trigger', 'hello', '--override', 'send')).toMatchObject({ code: 2 });
  });

  test("clears its faults when it fails, and finds a user's own triggers", async () => {
    const own = [
      'description: Mine.',
      'steps:',
      "  - {name: cut, fault cut: {a: '{{first}}', b: '{{second}}'}}",
      "  - {name: send, party: '{{first}}', send: {payload: x, to: '{{second}}', wait: all, timeout: 100ms}}",
      'finally:',
      "  - {name: clear, fault clear: {id: '{{cut.fault.id}}'}}",
    ];
    mkdirSync(join(cli.directory, 'triggers'));
    writeFileSync(join(cli.directory, 'triggers', 'mine.yaml'), own.join('\n'));
    expect(await ok('trigger', '--list', '--columns', 'trigger,from')).toContain('mine\there');
    const { code, said } = await ends('trigger', 'mine', '--json');
    expect(code).toBe(5);
    expect(JSON.parse(said)).toMatchObject({ error: { code: 'TIMEOUT', details: { step: 'send' } } });
    expect(await okJson('fault', 'list')).toMatchObject({ faults: [] });
    await ok('wait', '--for', 'idle');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('clears its faults when it is interrupted by %s', async (signal, code) => {
    const waits = 'send.send={"payload":"x","to":"{{second}}","wait":"all"}';
    const running = cli.begin(['trigger', 'mine', '--override', waits]);
    await expect.poll(() => okJson('fault', 'list')).toMatchObject({ faults: [{}] });
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code, err: expect.stringContaining('"finally"') });
    expect(await okJson('fault', 'list')).toMatchObject({ faults: [] });
    await ok('wait', '--for', 'idle');
  });
});

test('export mermaid draws the running services and their faults', async () => {
  await ok('fault', 'delay', 'alice', 'bob', '1ms', '-q');
  const drawn = await ok('export', 'mermaid');
  expect(drawn).toContain(`n_alice["alice<br/>http://127.0.0.1:${await ok('port', 'alice')}<br/>healthy"]`);
  expect(drawn).toContain('n_alice <-. "slower by 1 ms" .-> n_bob');
  await ok('fault', 'clear', '-q');
  expect(await ok('export', 'mermaid', '-o', 'topology.mmd')).toBe('topology.mmd');
  const { mermaid } = (await okJson('export', 'mermaid')) as { readonly mermaid: string };
  expect(readFileSync(join(cli.directory, 'topology.mmd'), 'utf8')).toBe(`${mermaid}\n`);
  expect(await ends('export', 'mermaid', '-o', 'absent/topology.mmd')).toMatchObject({ code: 2 });
});

describe('a worked example', () => {
  beforeAll(() => {
    writeFileSync(join(cli.directory, 'README.md'), 'one\ntwo\n');
  });

  // Each topic continues where the previous one has ended, as for a reader.
  test.each(Object.entries(sheets))('of %s works as printed', async (topic, examples) => {
    const shown = (await ok('cheat', topic, '-q')).split('\n');
    expect(shown).toHaveLength(examples.length);
    for (const command of shown) {
      const { code, out, err } = await cli.shell(command).ended;
      expect(code, `${command}: ${out}${err}`).toBe(0);
    }
  });

  test('needs an existing topic', async () => {
    expect(await ends('cheat', 'token')).toMatchObject({
      code: 3,
      said: expect.stringContaining('did you mean "tokens"'),
    });
  });
});

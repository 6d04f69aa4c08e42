import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStackCli } from './fixtures/stack-cli.js';

/** The commands of a test suite, in one stack whose pools and opening balances its definition names. */
const cli = createStackCli('tokens');
beforeAll(cli.start);
afterAll(cli.remove);

const { ok, ends } = cli;

describe('expect', () => {
  test('is met by what a network has decided, and waits for what is on its way', async () => {
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
      ...{ code: 0, out: '', err: '' },
    });
    expect(await ok('expect', 'order', 'topic=orders', 'same', 'on', 'all')).toBe('✓ order topic=orders same on all');
  });

  test('says what there is instead, and ends with 8', async () => {
    const wrong = ['message tag=order rejected on bob', 'balance coins bob = 7', 'order topic=orders same on all'];
    const { code, said } = await ends('expect', ...wrong, '--within', '300ms');
    expect(code).toBe(8);
    expect(said).toMatch(/✗ message tag=order rejected on bob · bob: \w{8} is confirmed/);
    expect(said).toMatch(/✗ balance coins bob = 7 · alice: 1000\n✓ order.*\n✗ 2 of 3 expectations not met\.\n$/);
    expect(JSON.parse((await ends('expect', 'balance coins bob = 7', '--within', '0', '--json')).said)).toEqual({
      schemaVersion: 1,
      passed: 0,
      failed: [{ line: 1, expected: 'balance coins bob = 7', actual: 'alice: 1000' }],
    });
  });

  test('refuses what it does not understand, and whom there is not', async () => {
    expect(await ends('expect')).toMatchObject({ code: 2, said: expect.stringContaining('nothing to expect') });
    expect(await ends('expect', 'mesage tag=a confirmed')).toMatchObject({
      ...{ code: 2, said: expect.stringContaining('did you mean "message"') },
    });
    expect(await ends('expect', 'order same on bobb')).toMatchObject({
      ...{ code: 3, said: expect.stringContaining('did you mean "bob"') },
    });
    expect(await ends('expect', 'balance coins dave = 1')).toMatchObject({ code: 3 });
    expect(await ends('expect', '-f', 'absent.txt')).toMatchObject({ code: 2 });
  });
});

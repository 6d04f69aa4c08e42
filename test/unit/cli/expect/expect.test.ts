import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { createCheck } from '../../../../src/cli/expect/checks.js';
import { checkAll, expectAll } from '../../../../src/cli/expect/expect.js';
import { checkOrder } from '../../../../src/cli/expect/order.js';
import { createOpenSocket } from '../../../../src/cli/requests/open-socket.js';
import { parseAssertion } from '../../../../src/cli/expect/parse.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { memoryOutput } from '../memory-output.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../plain-node.js';

const nodes: PlainNode[] = [];
const folder = mkdtempSync(join(tmpdir(), 'parley-expect-'));
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function aParty(name: string, answer: (came: Came) => Reply | undefined): Promise<PartyNode> {
  const node = await startPlainNode(answer);
  nodes.push(node);
  const client = createClient({ url: node.url });
  return { name, url: node.url, client, organization: name, node: `${name}-node`, credential: undefined };
}

function id(number: number): string {
  return `b27d4f9${number}-0c6e-4a58-9b3f-5d8e1a2c7b02`;
}

/** Starts a node whose events decided these messages of a topic, in this order; each is requested once. */
function deciding(...numbers: readonly number[]) {
  return ({ path, query }: Came): Reply | undefined => {
    if (path !== 'events') return undefined;
    const isAfter = query.get('sequence') !== '[>0';
    const header = { type: 'broadcast', txtype: 'batch_pin', author: 'did:parley:org/alice', topics: ['t'] };
    const events = numbers.map((number, i) => ({
      id: id(number),
      sequence: i + 1,
      type: 'message_confirmed',
      namespace: 'default',
      reference: id(number),
      message: { header: { ...header, id: id(number) }, state: 'confirmed', data: [] },
    }));
    return { body: isAfter ? [] : events };
  };
}

describe('a file given as an assertion', () => {
  it('is answered with the flag that reads it', async () => {
    const file = join(folder, 'checks.txt');
    writeFileSync(file, 'message tag=x confirmed');
    const context = { output: memoryOutput().output, environment: {}, program: 'stack' };
    await expect(expectAll({ words: [file], within: '1s' }, context)).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining(`-f ${file}`) as string,
    });
  });
});

describe('an assertion about order', () => {
  it('holds if parties have the same messages in the same order', async () => {
    const parties = [await aParty('alice', deciding(1, 2)), await aParty('bob', deciding(1, 2))];
    expect(await checkOrder('t', parties)()).toBeUndefined();
  });

  it.each([
    [[2, 1], 'topic t, message 1: b27d4f91 at alice, b27d4f92 at bob'],
    [[1], 'topic t: 2 messages at alice, 1 at bob'],
    [[], 'topic t: 2 messages at alice, 0 at bob'],
  ])('names the first difference: %j', async (others, said) => {
    const parties = [await aParty('alice', deciding(1, 2)), await aParty('bob', deciding(...others))];
    expect(await checkOrder('t', parties)()).toBe(said);
  });

  it('does not hold if nothing was decided, or if a party does not answer', async () => {
    const [alice, bob] = [await aParty('alice', deciding()), await aParty('bob', deciding())];
    expect(await checkOrder('t', [alice, bob])()).toBe('no message on topic t was decided');
    await nodes[1]?.stop();
    expect(await checkOrder('t', [alice, bob])()).toBe('bob: does not answer');
  });
});

describe('assertions', () => {
  it('are repeated until each has held, and report the actual values at the end', async () => {
    const [first, second, third] = ['order same', 'order topic=a same', 'order topic=b same'].map((text, i) =>
      parseAssertion(text, i + 1),
    );
    if (first === undefined || second === undefined || third === undefined) throw new Error('no assertions');
    const calls = new Map<number, number>();
    const outcomes = await checkAll(
      [first, second, third],
      ({ line }) =>
        Promise.resolve(() => {
          const count = (calls.get(line) ?? 0) + 1;
          calls.set(line, count);
          // The first holds at once and never again, the second in time, the third never.
          return Promise.resolve((line === 1 && count === 1) || (line === 2 && count === 3) ? undefined : `#${count}`);
        }),
      400,
    );
    expect(outcomes.map(({ actual }) => actual)).toEqual([undefined, undefined, expect.stringMatching(/^#\d+$/)]);
    expect(calls.get(1)).toBe(1);
    expect(calls.get(2)).toBe(3);
  });

  it('find neither an unknown party nor an unknown type of event, and suggest a known one', async () => {
    const alice = await aParty('alice', deciding());
    const target = {
      stack: 'dev',
      namespace: 'default',
      parties: [alice],
      party: alice,
      headersOf: () => ({}),
      agentOf: () => undefined,
      openSocket: createOpenSocket(() => ({})),
    };
    const create = (text: string) => createCheck(parseAssertion(text, 7, 'Argument 7'), { target, directory: folder });
    await expect(create('order same on alise')).rejects.toMatchObject({ exitCode: 3 });
    await expect(create('events message_confirmd = 1')).rejects.toMatchObject({
      exitCode: 2,
      message: 'Argument 7: unknown type of event "message_confirmd" — did you mean "message_confirmed"?',
    });
    await expect(create('data tag=a equals @absent.json')).rejects.toMatchObject({ exitCode: 2 });
    await expect(create('data tag=a equals {"a":')).rejects.toMatchObject({ exitCode: 2 });
  });

  it('apply to every message that is found, and compare files by their bytes', async () => {
    writeFileSync(join(folder, 'order.json'), '{ "n": 1.0 }\n');
    writeFileSync(
      join(folder, 'checks.txt'),
      '# of the order\ndata tag=a equals @order.json\nmessage tag=a confirmed\n',
    );
    const data = [{ id: id(9), hash: 'a'.repeat(64), value: { n: 1 } }];
    const header = { type: 'broadcast', author: 'did:parley:org/alice', topics: ['t'] };
    const { url } = await aParty('alice', ({ path }) => {
      if (path !== 'messages') return undefined;
      const states = ['confirmed', 'ready'];
      const messages = states.map((state, i) => ({ header: { ...header, id: id(i) }, state, data }));
      return { body: textOf(messages).replaceAll('"n":1', '"n":1.0') };
    });
    const written = memoryOutput({ modes: { isJson: true } });
    const flags = { words: ['message tag=a absent'], file: join(folder, 'checks.txt'), url, within: '1ms' };
    const context = { output: written.output, environment: {}, program: 'stack' };
    await expect(expectAll(flags, context)).rejects.toMatchObject({ exitCode: 8, isPrinted: true });
    expect(JSON.parse(written.out())).toEqual({
      schemaVersion: 1,
      passed: 1,
      failed: [
        { line: 1, expected: 'message tag=a absent', actual: expect.stringMatching(/b27d4f90 is confirmed, b27d4f91/) },
        { line: 3, expected: 'message tag=a confirmed', actual: expect.stringMatching(/: b27d4f91 is ready$/) },
      ],
    });
  });
});

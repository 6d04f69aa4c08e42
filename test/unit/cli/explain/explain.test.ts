import { afterEach, describe, expect, it } from 'vitest';
import { explain } from '../../../../src/cli/explain/explain.js';
import { explainStack } from '../../../../src/cli/explain/stack.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import type { Wait } from '../../../../src/wire/messages/progress.js';
import { uuid } from '../../../support/fixtures.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';
import { aBatch, anInspection, aMessage, aParty, aStatus, aProgress } from './an-inspection.js';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

/** Explains a message of a remote member at a node that has all its data; `code` is the exit code. */
async function explained(
  more: Partial<Message>,
  waits: readonly Partial<Wait>[] = [],
  modes: { readonly isJson?: boolean } = {},
) {
  const message = aMessage(1);
  const served: Readonly<Record<string, unknown>> = {
    [`messages/${uuid(1)}`]: { ...message, ...more, header: { ...message.header, author: 'did:parley:org/carol' } },
    [`messages/${uuid(1)}/progress`]: aProgress(['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data'], waits),
    messages: [],
    status: aStatus(),
  };
  node = await startPlainNode(({ path }) => (path in served ? { body: served[path] } : undefined));
  const { output, out } = memoryOutput({ modes });
  const { url } = node;
  const failure: unknown = await explain({ id: uuid(1), url }, { output, environment: {}, program: 'stack' }).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { out: out(), code: failure instanceof Object && 'exitCode' in failure ? failure.exitCode : 0 };
}

describe('a message', () => {
  it('that is final everywhere is exit 0', async () => {
    expect(await explained({ state: 'confirmed' })).toMatchObject({ code: 0 });
  });

  it('that was rejected is exit 7', async () => {
    const reason = 'It is too late.';
    const { code, out } = await explained({ state: 'rejected', rejectReason: reason });
    expect({ code, end: out.trim().split('\n').at(-1) }).toEqual({ code: 7, end: `rejected: ${reason}` });
  });

  it('that was cancelled is reported as such, not as rejected, with exit 7', async () => {
    const { code, out } = await explained({ state: 'cancelled' });
    expect(code).toBe(7);
    expect(out.trim().split('\n').at(-1)).toBe('cancelled: no other party had seen it');
    expect(out).not.toContain('rejected');
    expect(JSON.parse((await explained({ state: 'cancelled' }, [], { isJson: true })).out)).toMatchObject({
      state: 'cancelled',
    });
  });

  it('in progress, with nothing in its way, is not blocked: exit 5, as it may still be confirmed', async () => {
    const { code, out } = await explained({ state: 'ready' });
    expect(code).toBe(5);
    expect(out).toContain('on its way');
    expect(out).not.toContain('blocked');
  });

  it('that waits for a definition is blocked, exit 8, and names the definition', async () => {
    const { code, out } = await explained({ state: 'ready' }, [{ on: 'definition', detail: 'No datatype widget@1.' }]);
    expect(code).toBe(8);
    expect(out).toContain('blocked: at');
    expect(out).toContain('No datatype widget@1.');
    expect(out).not.toContain('Try: stack explain');
  });
});

describe('a whole stack', () => {
  const author = aParty('alice').name;
  const undecided = (count: number) => () => Promise.resolve(Array.from({ length: count }, (_, at) => aMessage(at)));
  const way = aProgress(['accepted', 'sealed', 'stored']);
  const moving = { progress: () => Promise.resolve(way) };

  it('with messages in progress is not blocked', async () => {
    const { output, out } = memoryOutput({ modes: { isJson: true } });
    await explainStack(anInspection({ ...moving, undecided: undecided(2) }), {
      output,
      environment: {},
      program: 'stack',
    });
    expect(JSON.parse(out())).toMatchObject({ state: 'pending', parties: [{ party: author, undecided: 2 }, {}] });
  });

  it('reports that there may be more messages than it has read', async () => {
    const { output, out } = memoryOutput();
    await explainStack(anInspection({ ...moving, undecided: undecided(50) }), {
      output,
      environment: {},
      program: 'stack',
    });
    expect(out()).toContain('50 or more messages undecided');
  });

  it('with a payload that a party cannot get is blocked, although no message waits there', async () => {
    const { output, out } = memoryOutput();
    const inspection = anInspection({
      missingBatches: ({ name }) => Promise.resolve(name === 'bob' ? [uuid(101)] : []),
      batch: () => Promise.resolve(aBatch()),
      batchProgress: () =>
        Promise.resolve({
          ...aProgress(['accepted'], [{ on: 'operation', detail: 'It waits: The shared store answered 404.' }]),
          state: 'wanted',
        }),
    });
    const explained = explainStack(inspection, { output, environment: {}, program: 'stack' });
    await expect(explained).rejects.toMatchObject({ code: 'UNHEALTHY' });
    expect(out()).toContain('at bob: its payload has not arrived from the shared store');
    expect(out()).toContain('answered 404');
  });

  it('in which everything is decided is final', async () => {
    const { output, out } = memoryOutput({ modes: { isQuiet: true } });
    await explainStack(anInspection(), { output, environment: {}, program: 'stack' });
    expect(out()).toBe('final\n');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createConnectionNotes, createRetryingRead } from '../../../../src/cli/events/connection-notes.js';
import type { PartyEvent } from '../../../../src/cli/events/follow.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import { createClient } from '../../../../src/client/client.js';
import { ClientError, UnreachableError } from '../../../../src/client/errors.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

const id = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
const eventOf = (sequence: number): PartyEvent['event'] => ({
  id,
  sequence,
  type: 'message_confirmed',
  namespace: 'default',
  reference: id,
  created: '',
  subscription: { id, namespace: 'default', name: id },
});

const partyAt = (url: string): PartyNode => ({
  name: 'alice',
  url,
  client: createClient({ url }),
  organization: undefined,
  node: undefined,
  credential: undefined,
});

/** Returns notes about a node whose newest event has this sequence, and whose events have this id. */
async function notesOf(newest: number, { isDurable = false, ids = id } = {}) {
  node = await startPlainNode(({ path, query }) => {
    if (path !== 'events') return undefined;
    const [, operator = '', number = ''] = /^\[(>=?)(\d+)$/.exec(query.get('sequence') ?? '') ?? [];
    const least = Number(number) + (operator === '>' ? 1 : 0);
    const sequence = query.get('sort') === 'sequence' ? least : newest;
    return { body: least > newest ? [] : [{ ...eventOf(sequence), id: ids }] };
  });
  const { output, err } = memoryOutput();
  const party = partyAt(node.url);
  return { notes: createConnectionNotes({ output, filters: isDurable ? undefined : {} }), party, err };
}

const lost = { kind: 'lost', reason: 'gone', retryMs: 100 } as const;

describe('notes about connections', () => {
  it('report each loss once, the reconnection, and the number of events that were filled in', async () => {
    const { notes, party, err } = await notesOf(44);
    await notes.changed(party, lost);
    await notes.changed(party, lost);
    await notes.changed(party, { kind: 'reopen', after: 41 });
    for (const sequence of [42, 43]) await notes.passed(party, eventOf(sequence));
    expect(err()).toBe('# no connection to alice (gone); trying again\n# connected to alice again\n');
    for (const sequence of [44, 45]) await notes.passed(party, eventOf(sequence));
    expect(err().split('\n').slice(2)).toEqual(['# 3 missed events received from alice', '']);
  });

  it('continue counting when the connection is lost again meanwhile', async () => {
    const { notes, party, err } = await notesOf(44);
    await notes.changed(party, { kind: 'reopen', after: 41 });
    await notes.passed(party, eventOf(42));
    await notes.changed(party, lost);
    await notes.changed(party, { kind: 'reopen', after: 42 });
    for (const sequence of [43, 44]) await notes.passed(party, eventOf(sequence));
    expect(err()).toContain('# 3 missed events received from alice\n');
  });

  it('are a failure when the events of the node have started anew', async () => {
    const { notes, party } = await notesOf(7);
    await expect(notes.changed(party, { kind: 'reopen', after: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
  });

  it('are a failure when a restored node has another event at the position, whoever stores it', async () => {
    for (const isDurable of [false, true]) {
      const { notes, party } = await notesOf(50, { isDurable, ids: '7c1f8a52-2c1f-4b7e-9f60-1b0a4d7c9e12' });
      await notes.passed(party, eventOf(41));
      await expect(notes.changed(party, { kind: 'reopen', after: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
      await node?.stop();
    }
  });

  it('are a failure when a restored node is behind a durable subscription', async () => {
    const { notes, party } = await notesOf(40, { isDurable: true });
    await expect(notes.changed(party, { kind: 'reopen', after: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
  });

  it('leave it to the stream to report that the node is away again', async () => {
    const { notes, party, err } = await notesOf(7);
    await node?.stop();
    await notes.changed(party, { kind: 'reopen', after: 41 });
    expect(err()).toBe('# connected to alice again\n');
  });
});

const alice = partyAt('http://127.0.0.1:1');
const gone = new UnreachableError('http://127.0.0.1:1', new Error('refused'));
const stopping = new ClientError({ status: 503, code: 'PY1010', text: 'The node is stopping', body: '' });
const unknown = new ClientError({ status: 404, code: 'FF10109', text: 'Not found', body: '' });

/** Returns a read that fails with these errors, one after the other, and then answers. */
function failing(...errors: readonly Error[]) {
  const left = [...errors];
  const said: string[] = [];
  const notes = {
    changed: async (_: PartyNode, item: { readonly kind: string; readonly reason?: string }) => {
      said.push(`${item.kind}: ${item.reason ?? ''}`);
    },
  };
  const read = async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'values';
  };
  return { notes, read, said };
}

describe('a read of an event', () => {
  it('is repeated while the node is away, with a note', async () => {
    const { notes, read, said } = failing(stopping, gone);
    const ask = createRetryingRead(notes, new AbortController().signal);
    expect(await ask(alice, read)).toBe('values');
    expect(said).toEqual([`lost: ${stopping.message}`, `lost: ${gone.message}`]);
  });

  it('is not repeated if the node refuses it', async () => {
    const { notes, read, said } = failing(unknown);
    await expect(createRetryingRead(notes, new AbortController().signal)(alice, read)).rejects.toBe(unknown);
    expect(said).toEqual([]);
  });

  it('is given up when the time is over', async () => {
    const { notes, read } = failing(gone, gone, gone);
    const ending = new AbortController();
    const asked = createRetryingRead(notes, ending.signal)(alice, read);
    const reason = new Error('over');
    ending.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { createConnectionNotes } from '../../../../src/cli/events/connection-notes.js';
import type { PartyEvent } from '../../../../src/cli/events/follow.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import { createClient } from '../../../../src/client/client.js';
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

/** Notes about a node whose newest event has this sequence, and whose events have this id. */
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

describe('what is said of connections', () => {
  it('is each loss once, the reconnect, and how many events were filled in, once they have come', async () => {
    const { notes, party, err } = await notesOf(44);
    await notes.changed(party, lost);
    await notes.changed(party, lost);
    await notes.changed(party, { kind: 'reopen', behind: 41 });
    for (const sequence of [42, 43]) await notes.passed(party, eventOf(sequence));
    expect(err()).toBe('# no connection to alice (gone); trying again\n# connected to alice again\n');
    for (const sequence of [44, 45]) await notes.passed(party, eventOf(sequence));
    expect(err().split('\n').slice(2)).toEqual(['# 3 events filled in at alice', '']);
  });

  it('counts on when the connection is lost again meanwhile', async () => {
    const { notes, party, err } = await notesOf(44);
    await notes.changed(party, { kind: 'reopen', behind: 41 });
    await notes.passed(party, eventOf(42));
    await notes.changed(party, lost);
    await notes.changed(party, { kind: 'reopen', behind: 42 });
    for (const sequence of [43, 44]) await notes.passed(party, eventOf(sequence));
    expect(err()).toContain('# 3 events filled in at alice\n');
  });

  it('is a failure when the events of the node have begun anew', async () => {
    const { notes, party } = await notesOf(7);
    await expect(notes.changed(party, { kind: 'reopen', behind: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
  });

  it('is a failure when a restored node has another event at the place, whoever keeps the place', async () => {
    for (const isDurable of [false, true]) {
      const { notes, party } = await notesOf(50, { isDurable, ids: '7c1f8a52-2c1f-4b7e-9f60-1b0a4d7c9e12' });
      await notes.passed(party, eventOf(41));
      await expect(notes.changed(party, { kind: 'reopen', behind: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
      await node?.stop();
    }
  });

  it('is a failure when a restored node is not as far as a durable subscription was', async () => {
    const { notes, party } = await notesOf(40, { isDurable: true });
    await expect(notes.changed(party, { kind: 'reopen', behind: 41 })).rejects.toMatchObject({ code: 'UNHEALTHY' });
  });

  it('leaves it to the stream to say that the node went away again', async () => {
    const { notes, party, err } = await notesOf(7);
    await node?.stop();
    await notes.changed(party, { kind: 'reopen', behind: 41 });
    expect(err()).toBe('# connected to alice again\n');
  });
});

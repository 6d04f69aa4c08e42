import { describe, expect, it } from 'vitest';
import { batchCauseAt, causeAt } from '../../../../src/cli/explain/follow.js';
import type { Inspection } from '../../../../src/cli/explain/inspection.js';
import type { ServiceRow } from '../../../../src/stack/status.js';
import { aFault } from '../../node/faults/a-fault.js';
import { uuid } from '../../../support/fixtures.js';
import { aBatch, anInspection, aMessage, aParty, aStatus, aProgress } from './an-inspection.js';

const bob = aParty('bob');
const pinned = aProgress(['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data', 'next', 'decided']);
const ofAuthor: Inspection['progress'] = ({ name }) => Promise.resolve(name === 'alice' ? pinned : 'absent');
const group = 'b'.repeat(64);

function troubled(service: string, state: ServiceRow['state'], message: string | null = null): Inspection['trouble'] {
  const row = { name: service, kind: 'node', state, health: null, pid: null, restarts: 0, port: null } as const;
  const rest = {
    peerPort: null,
    url: null,
    ws: null,
    ui: null,
    startedAt: null,
    readyAfterMs: null,
    note: null,
    message,
  };
  const found = { ...row, ...rest, isExternal: false, isFinal: false, isJoined: true };
  return (name) => (name === service ? found : undefined);
}

const wanted = { ...aProgress(['sealed']), state: 'wanted' };

describe('a message that bob has not decided', () => {
  it.each<[string, Partial<Inspection>, string, RegExp]>([
    ['bob is paused', { trouble: troubled('bob', 'paused') }, 'party_away', /^bob is paused$/],
    ['bob does not answer', { status: () => Promise.resolve('away') }, 'party_away', /^bob does not answer$/],
    [
      'the database of bob does not answer',
      {
        status: () => Promise.resolve('away'),
        trouble: troubled('bob', 'unhealthy', 'The database does not answer: refused.'),
      },
      'party_away',
      /^bob does not answer: the database does not answer: refused$/,
    ],
    [
      'the chain of others does not answer',
      {
        progress: () => Promise.resolve(aProgress(['accepted', 'sealed'])),
        trouble: troubled('chain', 'unhealthy', 'chain.url: http://h does not answer eth_call: refused.'),
      },
      'chain_away',
      /^the chain is unhealthy: chain.url: http:\/\/h does not answer eth_call: refused$/,
    ],
    [
      'alice is stopped',
      { trouble: troubled('alice', 'stopped') },
      'party_away',
      /^alice is stopped, and only its node can send this/,
    ],
    [
      'the chain is stopped',
      { progress: () => Promise.resolve(aProgress(['accepted', 'sealed'])), trouble: troubled('chain', 'stopped') },
      'chain_away',
      /^the chain is stopped$/,
    ],
    [
      'mining is paused',
      { progress: () => Promise.resolve(aProgress(['accepted'])), mining: { auto: false, intervalMs: 0 } },
      'mining_paused',
      /^mining is paused/,
    ],
    [
      'the key has nothing',
      { progress: () => Promise.resolve(aProgress(['accepted', 'sealed'])), balance: () => Promise.resolve(0n) },
      'no_funds',
      /alice has no funds/,
    ],
    [
      'the key has too little',
      {
        progress: () => Promise.resolve(aProgress(['accepted', 'sealed', 'stored'])),
        status: () => Promise.resolve(aStatus([{ service: 'chain', since: '', error: 'Not enough funds' }])),
      },
      'no_funds',
      /alice has no funds/,
    ],
    [
      'the store is stopped, and the author cannot put it there',
      { progress: () => Promise.resolve(aProgress(['accepted', 'sealed'])), trouble: troubled('store', 'stopped') },
      'store_away',
      /^the shared store is stopped$/,
    ],
    [
      'the disk is full',
      {
        progress: () => Promise.resolve(aProgress(['accepted', 'sealed'])),
        status: () => Promise.resolve(aStatus([{ service: 'store', since: '', error: 'The store answered 507.' }])),
      },
      'disk_full',
      /^at alice: the disk is full: The store answered 507\.$/,
    ],
    [
      'something of the author fails',
      { progress: () => Promise.resolve(aProgress(['accepted'], [{ on: 'operation', detail: 'It is Failed: x' }])) },
      'operation',
      /^at alice: It is Failed: x$/,
    ],
    [
      'it is under way',
      { progress: () => Promise.resolve(aProgress(['accepted', 'sealed', 'stored'])) },
      'on_its_way',
      /pinned on the chain/,
    ],
    [
      'bob cannot read the store',
      { progress: ofAuthor, faults: [aFault('drop', 'bob')] },
      'reads_dropped',
      /bob reads/,
    ],
    [
      'the store is stopped',
      { progress: ofAuthor, trouble: troubled('store', 'stopped') },
      'store_away',
      /^the shared store is stopped$/,
    ],
    [
      'bob reads the chain late',
      { progress: ofAuthor, status: () => Promise.resolve(aStatus([], { head: 9, processed: 5 })) },
      'behind',
      /block 5 of 9/,
    ],
    [
      'bob has read all blocks with enough confirmations',
      {
        progress: ofAuthor,
        status: () => Promise.resolve(aStatus([], { head: 9, confirmed: 6, processed: 6 })),
      },
      'file_missing',
      /has not arrived/,
    ],
    [
      'its batch is void',
      {
        progress: ofAuthor,
        batch: () => Promise.resolve(aBatch({ void: 'no JSON' })),
        batchProgress: () => Promise.resolve({ ...wanted, state: 'void' }),
      },
      'void',
      /is void: no JSON/,
    ],
  ])('%s', async (_, inspection, code, text) => {
    const cause = await causeAt(anInspection(inspection), bob, aMessage(1));
    expect(cause).toMatchObject({ code, behind: [] });
    expect(cause?.text).toMatch(text);
  });

  it.each([
    [aFault('cut', 'alice', 'bob'), 'link_cut'],
    [aFault('delay', 'bob', 'alice'), 'link_slow'],
    [aFault('cut', 'bob', 'alice', { oneWay: true }), 'file_missing'],
    [aFault('cut', 'alice', 'carol'), 'file_missing'],
    [aFault('drop', 'bob'), 'file_missing'],
  ])('that is private waits for its author’s link alone', async (fault, code) => {
    const cause = await causeAt(anInspection({ progress: ofAuthor, faults: [fault] }), bob, aMessage(1, { group }));
    expect(cause).toMatchObject({ code });
  });

  it('that is private and was delivered is not delivered again to an older database', async () => {
    const node = { name: 'bob-node', registered: true, id: uuid(77) };
    const inspectionWith = (info: string) => {
      const sent = { ...pinned, steps: [...pinned.steps, { step: 'delivered' as const, info }] };
      return anInspection({
        progress: ({ name }) => Promise.resolve(name === 'alice' ? sent : 'absent'),
        status: () => Promise.resolve({ ...aStatus(), node }),
      });
    };
    for (const [info, code] of [
      [`${uuid(78)}: Pending, ${uuid(77)}: Succeeded`, 'database_older'],
      [`${uuid(78)}: Succeeded, ${uuid(77)}: Pending`, 'file_missing'],
    ] as const) {
      expect(await causeAt(inspectionWith(info), bob, aMessage(1, { group }))).toMatchObject({ code });
    }
  });

  it('is traced to the message before it, and from there to the batch before that', async () => {
    const [first, second, third] = [1, 2, 3].map((number) => aMessage(number));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were made');
    const context = { topic: 'orders' };
    const here = ['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data'] as const;
    const profileRules: Readonly<Record<string, readonly Parameters<typeof aProgress>[1][]>> = {
      [third.header.id]: [[{ on: 'context', context }]],
      [second.header.id]: [[{ on: 'batch', batch: uuid(101), author: 'did:parley:org/alice', context }]],
    };
    const inspection = anInspection({
      progress: ({ name }, id) => Promise.resolve(name === 'alice' ? pinned : aProgress(here, profileRules[id]?.[0])),
      message: ({ name }, id) =>
        Promise.resolve(name === 'bob' && id !== first.header.id ? aMessage(id === third.header.id ? 3 : 2) : 'absent'),
      undecided: () => Promise.resolve([second, third]),
      messagesOf: ({ name }) => Promise.resolve(name === 'alice' ? [first] : []),
      faults: [aFault('drop', 'bob')],
    });
    const cause = await causeAt(inspection, bob, third);
    expect(cause).toMatchObject({ code: 'reads_dropped', remedy: 'fault clear f1' });
    expect(cause?.behind.map(({ id }) => id)).toEqual([second.header.id, first.header.id]);
  });

  it('is traced to the definition that it waits for in another context', async () => {
    const wait = { on: 'context', batch: uuid(105), author: 'did:parley:org/alice' } as const;
    const here = aProgress(['accepted', 'sealed', 'stored', 'pinned', 'batch', 'data'], [wait]);
    const definition = aMessage(5, { state: 'confirmed', batch: uuid(105) });
    const inspection = anInspection({
      progress: ({ name }) => Promise.resolve(name === 'alice' ? pinned : here),
      batch: () => Promise.resolve(aBatch({ id: uuid(105) })),
      batchProgress: ({ name }) => Promise.resolve(name === 'bob' ? wanted : pinned),
      messagesOf: () => Promise.resolve([definition]),
      faults: [aFault('drop', 'bob')],
    });
    const cause = await causeAt(inspection, bob, aMessage(1, { group }));
    expect(cause).toMatchObject({ code: 'reads_dropped', behind: [{ kind: 'message', id: definition.header.id }] });
  });

  it.each<[string, Partial<Inspection>, string]>([
    ['bob, who is paused', { trouble: troubled('bob', 'paused') }, 'party resume bob'],
    ['bob, who is stopped', { trouble: troubled('bob', 'stopped') }, 'party start bob'],
    ['bob, who is starting', { trouble: troubled('bob', 'starting') }, 'status --watch'],
    ['the store, which has failed', { progress: ofAuthor, trouble: troubled('store', 'failed') }, 'start'],
    ['the store, which is starting', { progress: ofAuthor, trouble: troubled('store', 'starting') }, 'status --watch'],
  ])(
    'that waits for %s says how to start what is down, and how to watch what is coming',
    async (_, inspection, remedy) => {
      expect(await causeAt(anInspection(inspection), bob, aMessage(1))).toMatchObject({ remedy });
    },
  );

  it('that waits for a permanently ended node gives the reason, and does not suggest to start it', async () => {
    const message = 'The chain took back block 7. To read its history again: stack node rebuild bob';
    const row = troubled('bob', 'failed', message)('bob');
    const trouble: Inspection['trouble'] = (name) => (name === 'bob' && row ? { ...row, isFinal: true } : undefined);
    const cause = await causeAt(anInspection({ trouble }), bob, aMessage(1));
    expect(cause).toMatchObject({ text: `bob is failed: ${message.replace('The', 'the')}` });
    expect(cause?.remedy).toMatch(/^Or restore the data and the chain together/);
  });

  it('is not explained once it is decided', async () => {
    const inspection = anInspection({ message: () => Promise.resolve(aMessage(1, { state: 'confirmed' })) });
    expect(await causeAt(inspection, bob, aMessage(1))).toBeUndefined();
  });
});

describe('a batch', () => {
  it.each<[string, Partial<Inspection>, string | undefined]>([
    ['of which bob has not heard', {}, 'on_its_way'],
    [
      'whose payload bob cannot read',
      {
        batch: () => Promise.resolve(aBatch()),
        batchProgress: () => Promise.resolve(wanted),
        faults: [aFault('drop', 'bob')],
      },
      'reads_dropped',
    ],
    [
      'that is decided',
      {
        batch: () => Promise.resolve(aBatch()),
        batchProgress: () => Promise.resolve({ ...pinned, state: 'held' }),
      },
      undefined,
    ],
    [
      'that waits for a block',
      {
        batch: () => Promise.resolve(aBatch()),
        batchProgress: () => Promise.resolve({ ...aProgress(['sealed']), state: 'sealed' }),
        mining: { auto: false, intervalMs: 0 },
      },
      'mining_paused',
    ],
  ])('%s', async (_, inspection, code) => {
    expect((await batchCauseAt(anInspection(inspection), bob, uuid(101)))?.code).toBe(code);
  });
});

import { describe, expect, it } from 'vitest';
import { hashOfHeader, hashOfItem, hashOfReferences } from '../../../src/domain/hash.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { Data } from '../../../src/wire/data/data.js';
import type { Message } from '../../../src/wire/messages/message.js';
import type { Progress } from '../../../src/wire/messages/progress.js';
import { touchedBy } from '../../../ui/src/live/touched.js';
import { explain } from '../../../src/wire/messages/progress-texts.js';
import { checkHashes } from '../../../ui/src/pages/messages/hashes.js';
import { latencies, quantile, ratePerSecond, spreadText } from '../../../ui/src/pages/overview/latency.js';
import { overBudget } from '../../../ui/build/budget.js';
import { uuid } from '../../support/fixtures.js';

const at = (second: number) => `2026-01-31T12:00:0${second}.000Z`;

function item(id: number, value: string, blob?: Data['blob']): Data {
  const text = compact(value);
  const hash = hashOfItem({ value: text, blob });
  const data = { id: uuid(id), validator: 'json', namespace: 'default', hash, created: at(0), value: text };
  return blob === undefined ? data : { ...data, blob };
}

function message(data: readonly Data[], more: Partial<Message> = {}): Message {
  const references = data.map(({ id, hash }) => ({ id, hash }));
  const header = {
    id: uuid(1),
    type: 'broadcast' as const,
    txtype: 'batch_pin' as const,
    author: 'did:parley:org/alice',
    key: `0x${'a'.repeat(40)}`,
    created: at(0),
    namespace: 'default',
    topics: ['a'],
    topic: ['a'],
    datahash: hashOfReferences(references),
  };
  const sealed = { header, hash: hashOfHeader(header), data: references };
  return { ...sealed, localNamespace: 'default', state: 'confirmed', ...more };
}

describe('the hashes of a message', () => {
  const file = { hash: 'f'.repeat(64), size: 3 };
  const data = [
    item(2, '1.0'),
    item(3, '12345678901234567890'),
    item(4, '{"b":1,"a":2}'),
    item(5, 'null', file),
    item(6, '{"filename":"x"}', file),
  ];

  it('are computed from the text that the node serves', async () => {
    const checks = await checkHashes(message(data), data);
    expect(checks.map(({ what }) => what)).toEqual([
      'message',
      'list of data',
      ...[1, 2, 3, 4, 5].map((n) => `data ${n}`),
    ]);
    expect(checks.filter(({ claimed, computed }) => claimed !== computed)).toEqual([]);
  });

  it('are checked for the items that are here, numbered as in the message', async () => {
    const checks = await checkHashes(message(data), data.slice(1));
    expect(checks.map(({ what }) => what)).toEqual([
      'message',
      'list of data',
      ...[2, 3, 4, 5].map((n) => `data ${n}`),
    ]);
    expect(checks.filter(({ claimed, computed }) => claimed !== computed)).toEqual([]);
  });

  it('differ where something was changed', async () => {
    const changed = data.map((each, index) => (index === 0 ? { ...each, value: compact('1') } : each));
    const checks = await checkHashes(message(data, { hash: '0'.repeat(64) }), changed);
    expect(checks.filter(({ claimed, computed }) => claimed !== computed).map(({ what }) => what)).toEqual([
      'message',
      'data 1',
    ]);
  });
});

describe('why a message is not confirmed', () => {
  const progress: Progress = {
    id: uuid(1),
    hash: 'a'.repeat(64),
    state: 'ready',
    missing: 'data',
    steps: [{ step: 'accepted', time: at(0) }, { step: 'data' }],
    waits: [{ on: 'blob', since: at(1), author: 'did:parley:org/bob', detail: 'The file has not come.' }],
  };

  it('is explained with advice', () => {
    const found = explain({ state: 'ready' }, progress);
    expect(found?.sentence).toBe('The next step is: all data is here.');
    expect(found?.waits.map(({ advice }) => advice)).toEqual([expect.stringMatching(/node of bob/)]);
  });

  it('names the commands that find what holds up an operation, such as paused mining', () => {
    const waits = [{ on: 'operation', since: at(1), detail: 'blockchain_pin_batch is Initialized.' }] as const;
    const found = explain({ state: 'ready' }, { ...progress, missing: 'pinned', waits: [...waits] });
    expect(found?.waits[0]?.advice).toMatch(/mining.*stack explain, stack status/);
  });

  it('is not explained for a confirmed message', () => {
    expect(explain({ state: 'confirmed' }, { ...progress, waits: [] })).toBeUndefined();
    expect(explain({ state: 'rejected' }, progress)?.title).toBe('Why was it rejected?');
    expect(explain({ state: 'cancelled' }, progress)?.title).toBe('Why was it cancelled?');
  });
});

describe('the figures', () => {
  it('count only confirmed messages that were created at a time that exists', () => {
    const [first, ...others] = [message([], { confirmed: at(3) }), message([], { confirmed: at(1) }), message([])];
    const odd = { ...first, header: { ...first.header, created: '2026-13-45T00:00:00.000Z' } };
    const times = latencies([odd, first, ...others]);
    expect([times, quantile(times, 0.5), quantile([], 0.5)]).toEqual([[1_000, 3_000], 3_000, undefined]);
    expect(ratePerSecond([at(1), at(7), at(8)], Date.parse(at(9)), 4_000)).toBe(0.5);
  });

  it('show the time to confirm in a unit that fits', () => {
    expect(spreadText([])).toBe('–');
    expect(spreadText([31, 44, 999])).toBe('44 · 999 ms');
    expect(spreadText([22, 1_373, 2_853])).toBe('1.4 · 2.9 s');
    expect(spreadText([22, 31, 12_000])).toBe('0.03 · 12.0 s');
    expect(spreadText([59_000, 120_000, 300_000])).toBe('2.0 · 5.0 min');
    expect(spreadText([7_200_000])).toBe('2.0 · 2.0 h');
  });
});

describe('an event', () => {
  it('refreshes the status and the lists that it concerns', () => {
    expect(touchedBy('message_confirmed')).toEqual(expect.arrayContaining(['messages', 'data', 'status']));
    expect(touchedBy('token_transfer_confirmed')).toContain('balances');
  });
});

describe('the size of the explorer', () => {
  const part = (name: string, kilobytes: number, more = {}) => ({
    name,
    isEntry: false,
    imports: [],
    styles: [],
    gzipBytes: kilobytes * 1_024,
    ...more,
  });

  it('is over budget with the first script and its imports, or with one part', () => {
    const entry = part('assets/index.js', 100, { isEntry: true, imports: ['assets/shared.js'] });
    expect(overBudget([entry, part('assets/shared.js', 60), part('assets/page.js', 30)])).toEqual([]);
    expect(overBudget([entry, part('assets/shared.js', 80)])).toHaveLength(1);
    expect(overBudget([entry, part('assets/page.js', 31), part('assets/re2-1.js', 45)])).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { filterableOf, filterKeyOf, filterReadings } from '../../../../src/domain/events/filter-fields.js';
import type { Event } from '../../../../src/wire/events/event-record.js';
import { uuid } from '../../../support/fixtures.js';

const event: Event = {
  id: uuid(1),
  sequence: 1,
  type: 'transaction_submitted',
  namespace: 'default',
  reference: uuid(2),
  topic: 'batch_pin',
  created: '2026-01-31T12:00:00.000Z',
};
const header = { author: 'did:firefly:org/a', topics: ['x', 'y'], txtype: 'unpinned' };
const sent: Event = { ...event, topic: 'x', message: { header } as unknown as NonNullable<Event['message']> };

function textsOf(of: Event): unknown {
  const fields = filterableOf(of);
  return Object.fromEntries([...filterReadings].map(([name, read]) => [name, read(fields).toSorted()]));
}

describe('the fields of a served event', () => {
  it('are those of its message in every spelling', () => {
    expect(textsOf(sent)).toEqual({
      events: ['transaction_submitted'],
      topic: ['x', 'y'],
      'message.topics': ['x', 'y'],
      'message.author': ['did:firefly:org/a', 'did:parley:org/a'],
      'message.group': [''],
      'message.tag': [''],
      'blockchainevent.listener': [''],
      'blockchainevent.name': [''],
      'transaction.type': ['none', 'unpinned'],
    });
  });

  it('are its own if it has no message', () => {
    expect(textsOf(event)).toMatchObject({ topic: ['batch_pin'], 'message.topics': [], 'message.author': [''] });
  });

  it('have keys in several spellings, of which one is canonical', () => {
    expect(['topics', 'author', 'topic', 'toString'].map(filterKeyOf)).toEqual([
      'topic',
      'message.author',
      'topic',
      'toString',
    ]);
  });
});

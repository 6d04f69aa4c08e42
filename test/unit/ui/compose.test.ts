import { describe, expect, it } from 'vitest';
import {
  anItem,
  type DraftMessage,
  emptyDraft,
  isEmpty,
  readDraft,
} from '../../../ui/src/pages/compose/draft-message.js';
import { readWritten, withWritten } from '../../../ui/src/pages/compose/history.js';
import { messageAction } from '../../../ui/src/pages/compose/message-action.js';
import { problemsOf } from '../../../ui/src/pages/compose/problems.js';

function aDraft(change: Partial<DraftMessage> = {}): DraftMessage {
  return { ...emptyDraft(), items: [anItem({ kind: 'json', text: '{"n": 1.0}' })], ...change };
}

const dataId = '5f0b1b9e-6c1c-4d5e-9d6f-0a1b2c3d4e5f';

describe('a composed message', () => {
  it('becomes a broadcast with the exact text of each value', () => {
    const items = [
      anItem({ kind: 'json', text: ' {"b":12345678901234567890,\n"a":1.0}' }),
      anItem({ kind: 'text', text: '1' }),
    ];
    const action = messageAction(aDraft({ items, tag: 'new', topics: 'a, b' }));
    expect(action?.path).toBe('broadcast/message');
    expect(action?.body).toBe(
      '{"header":{"topics":["a","b"],"tag":"new"},' +
        '"data":[{"value": {"b":12345678901234567890,\n"a":1.0}},{"value":"1"}]}',
    );
    expect(action?.cli).toEqual([
      'broadcast',
      items[0]?.text,
      '--text',
      '1',
      '--topic',
      'a',
      '--topic',
      'b',
      '--tag',
      'new',
    ]);
  });

  it('becomes a private message for its recipients, optionally unpinned', () => {
    const draft = aDraft({ kind: 'private', recipients: ['bob'], others: 'did:parley:x, bob', isUnpinned: true });
    const action = messageAction(draft);
    expect(action?.path).toBe('send/message');
    expect(action?.body).toContain('"group":{"members":[{"identity":"bob"},{"identity":"did:parley:x"}]}');
    expect(action?.body).toContain('"txtype":"none"');
    expect(action?.cli).toEqual(['send', '{"n": 1.0}', '--to', 'bob,did:parley:x', '--unpinned']);
  });

  it('may be for a group instead of recipients', () => {
    const action = messageAction(aDraft({ kind: 'private', group: 'ab'.repeat(32), recipients: ['bob'] }));
    expect(action?.body).toContain(`"group":"${'ab'.repeat(32)}"`);
    expect(action?.cli).toContain('--group');
  });

  it('is signed by the chosen author', () => {
    const action = messageAction(aDraft({ author: 'did:parley:shop' }));
    expect(action?.body).toContain('"header":{"author":"did:parley:shop"}');
    expect(action?.cli).toEqual(['broadcast', '{"n": 1.0}', '--author', 'did:parley:shop']);
  });

  it('may wait for a reply if it has a tag and is not a reply itself', () => {
    const draft = aDraft({ kind: 'private', recipients: ['bob'], waitsForReply: true });
    expect(problemsOf(draft).tag).toBeDefined();
    expect(problemsOf({ ...draft, tag: 'ask', cid: dataId }).cid).toBeDefined();
    const action = messageAction({ ...draft, tag: 'ask' });
    expect(action).toMatchObject({ path: 'messages/requestreply', sdk: { method: 'sendPrivateMessage' } });
    expect(action?.sdk?.arguments?.[1]).toBe('{"requestReply":true}');
    expect(action?.cli).toBeUndefined();
    expect(messageAction({ ...draft, kind: 'broadcast', tag: '' })?.path).toBe('broadcast/message');
  });

  it('replies to a message only by its full id', () => {
    expect(problemsOf(aDraft({ cid: dataId })).cid).toBeUndefined();
    expect(problemsOf(aDraft({ cid: 'abc' })).cid).toBeDefined();
  });

  it('refers to files and data by their ids', () => {
    const items = [anItem({ kind: 'file', id: dataId, name: 'a.pdf' }), anItem({ kind: 'data', id: dataId })];
    const action = messageAction(aDraft({ items }));
    expect(action?.body).toBe(`{"data":[{"id":"${dataId}"},{"id":"${dataId}"}]}`);
    expect(action?.cli).toEqual(['broadcast', '--data-id', dataId, '--data-id', dataId]);
  });

  it('names datatypes, and has a command only if all items have the same datatype', () => {
    const one = anItem({ kind: 'json', text: '1', datatype: 'a@b@1.0' });
    expect(messageAction(aDraft({ items: [one] }))?.body).toContain('"datatype":{"name":"a@b","version":"1.0"}');
    expect(messageAction(aDraft({ items: [one] }))?.cli).toContain('--datatype');
    expect(messageAction(aDraft({ items: [one, anItem({ kind: 'json', text: '2' })] }))?.cli).toBeUndefined();
  });

  it.each<[string, Partial<DraftMessage>]>([
    ['invalid JSON', { items: [anItem({ kind: 'json', text: '{"a":' })] }],
    ['no data', { items: [] }],
    ['a file that is not uploaded', { items: [anItem({ kind: 'file', name: 'a' })] }],
    ['an incomplete id of data', { items: [anItem({ kind: 'data', id: '5f0b' })] }],
    ['no recipients', { kind: 'private' }],
    ['a bad tag', { tag: '-' }],
    ['a bad topic', { topics: 'good, not good' }],
    ['too many topics', { topics: '1,2,3,4,5,6,7,8,9,10,11' }],
    ['a long key', { idempotencyKey: 'x'.repeat(257) }],
  ])('is not sent with %s', (_, change) => {
    expect(messageAction(aDraft(change))).toBeUndefined();
  });

  it('reports where its JSON is invalid', () => {
    const item = anItem({ kind: 'json', text: '{\n"a":x}' });
    expect(problemsOf(aDraft({ items: [item] })).byItem.get(item.key)).toContain('line 2, column 5');
  });
});

describe('a draft', () => {
  it('is unchanged after it was stored, except for the keys of its items', () => {
    const choices = { isUnpinned: true, waitsForReply: true, author: 'did:parley:shop' };
    const draft = aDraft({ kind: 'private', recipients: ['bob'], tag: 't', ...choices });
    const again = readDraft(JSON.parse(JSON.stringify(draft)));
    const withoutKeys = (each: DraftMessage | undefined) => ({
      ...each,
      items: each?.items.map((item) => ({ ...item, key: '' })),
    });
    expect(withoutKeys(again)).toEqual(withoutKeys(draft));
  });

  it('is empty or absent if something else was stored', () => {
    expect(readDraft('x')).toBeUndefined();
    expect(isEmpty(readDraft({ items: 1, recipients: 'bob', kind: 7 }) ?? aDraft())).toBe(true);
    expect(readWritten({})).toBeUndefined();
    expect(readWritten([1, { draft: 2, time: 3 }])).toEqual([]);
  });

  it('is empty until something is typed or chosen', () => {
    expect(isEmpty(emptyDraft())).toBe(true);
    expect(isEmpty(aDraft())).toBe(false);
    expect(isEmpty({ ...emptyDraft(), recipients: ['bob'] })).toBe(false);
  });

  it('stays in a history of 20', () => {
    let list = readWritten([]) ?? [];
    for (let n = 0; n < 30; n++) list = withWritten(list, { id: String(n), time: '', draft: emptyDraft() });
    expect(list).toHaveLength(20);
    expect(list[0]?.id).toBe('29');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { printEvents } from '../../../../src/cli/events/list.js';
import { type ListFlags, printList, readFilter } from '../../../../src/cli/requests/list.js';
import { listMessages } from '../../../../src/cli/messages/listing/list.js';
import { messageParameters } from '../../../../src/cli/messages/listing/filters.js';
import { messageCollection } from '../../../../src/cli/messages/listing/table.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

const ids = ['b', 'a'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const messages = ids.map(
  (id) =>
    `{"header":{"id":"${id}","type":"broadcast","author":"did:parley:org/alice","topics":["t"],` +
    `"created":"2026-01-15T10:00:00.000Z"},"state":"confirmed","extra":1.50,"data":[]}`,
);
const events = [42, 41].map((sequence) => ({
  id: ids[sequence - 41],
  sequence,
  type: 'message_confirmed',
  reference: ids[0],
}));

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

async function words(given: Partial<ListFlags> = {}): Promise<ListFlags> {
  await node?.stop();
  node = await startPlainNode(({ path }) =>
    path === 'messages' ? { body: `[${messages.join(',')}]` } : path === 'events' ? { body: events } : undefined,
  );
  return { limit: 25, skip: 0, all: false, 'no-headers': false, url: node.url, ...given };
}

async function printed(given: Partial<ListFlags> = {}, modes: { isJson?: boolean; isQuiet?: boolean } = {}) {
  const written = memoryOutput({ modes });
  await printList(await words(given), messageCollection(false), [['tag', 'x']], {
    output: written.output,
    environment: {},
    program: 'stack',
  });
  return written.out();
}

describe('a list', () => {
  it('is the bare array as served, by page or complete', async () => {
    expect(await printed({}, { isJson: true })).toBe(`[${messages.join(',')}]\n`);
    expect(await printed({ all: true }, { isJson: true })).toBe(`[${messages.join(',')}]\n`);
  });

  it('is a table for a person, and ids for --quiet', async () => {
    expect((await printed()).split('\n')[1]).toMatch(new RegExp(`^${ids[0] ?? ''}\t`));
    expect(await printed({ all: true }, { isQuiet: true })).toBe(`${ids.join('\n')}\n`);
  });

  it('sends its flags in the syntax of the node', async () => {
    await printed({ filter: ['topics=!a', 'created=>2026'], limit: 3, skip: 2 });
    expect(node?.came[0]?.query.toString()).toBe('tag=x&topics=%21a&created=%3E2026&limit=3&skip=2');
  });

  it('accepts a filter with any value, and none without a field', () => {
    expect(readFilter('tag==a=b')).toEqual(['tag', '=a=b']);
    expect(readFilter('blob.size=')).toEqual(['blob.size', '']);
    expect(() => readFilter('=x')).toThrow('--filter must be');
  });
});

describe('messages list by an author', () => {
  const did = 'did:parley:org/alice';
  async function listed(author: string) {
    node = await startPlainNode(({ path }) => {
      if (path === 'verifiers') return { body: [{ identity: ids[0], value: `0x${'a'.repeat(40)}` }] };
      if (path === 'identities') return { body: [{ id: ids[0], type: 'org', name: 'alice', did }] };
      return path === 'messages' ? { body: [] } : undefined;
    });
    const written = memoryOutput();
    const all = { limit: 25, skip: 0, all: false, 'no-headers': false, pending: false, confirmed: false };
    const given = { ...all, 'with-data': false, author, url: node.url };
    await listMessages(given, { output: written.output, environment: {}, program: 'stack' });
    return node.came.find(({ path }) => path === 'messages')?.query.getAll('author');
  }

  it('that is unknown is an error and not an empty list', async () => {
    for (const author of ['alcie', 'did:parley:org/nobody']) {
      await expect(listed(author)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(author),
      });
      await node?.stop();
    }
  });

  it('accepts names, DIDs and the operators of filters', async () => {
    expect(await listed('alice')).toContain(did);
    await node?.stop();
    expect(await listed(did)).toEqual([did]);
    await node?.stop();
    expect(await listed('^did:parley:org/al')).toEqual(['^did:parley:org/al']);
  });
});

describe('the flags of messages list', () => {
  const none = { pending: false, confirmed: false, 'with-data': false };
  const nowMs = Date.parse('2026-01-15T10:00:00.000Z');
  it.each([
    [{ pending: true }, [['pending', 'true']]],
    [
      { confirmed: true, 'with-data': true },
      [
        ['pending', 'false'],
        ['data', 'true'],
      ],
    ],
    [
      { tag: '^a', topic: 't', type: 'private' },
      [
        ['tag', '^a'],
        ['topics', 't'],
        ['type', 'private'],
      ],
    ],
    [
      { author: 'bob' },
      [
        ['author', 'did:parley:org/bob'],
        ['author', 'did:parley:bob'],
      ],
    ],
    [{ author: 'did:parley:bob' }, [['author', 'did:parley:bob']]],
    [{ author: `0x${'AB'.repeat(20)}` }, [['key', `0x${'ab'.repeat(20)}`]]],
    [{ group: '4BE1' }, [['group', '^4be1']]],
    [{ group: '4b'.repeat(32) }, [['group', '4b'.repeat(32)]]],
    [{ since: '5m' }, [['created', '[>=2026-01-15T09:55:00.000Z']]],
    [{ since: '2026-01-01' }, [['created', '[>=2026-01-01T00:00:00.000Z']]],
  ])('%j', (given, parameters) => {
    expect(messageParameters({ ...none, ...given }, nowMs)).toEqual(parameters);
  });

  it('refuse an invalid time', () => {
    expect(() => messageParameters({ ...none, since: 'soon' }, nowMs)).toThrow('--since must be');
  });
});

describe('a list of events', () => {
  async function asked(given: Partial<Parameters<typeof printEvents>[0]>) {
    const written = memoryOutput({ modes: { isQuiet: true } });
    await printEvents(
      { ...(await words()), 'with-data': false, ...given },
      { output: written.output, environment: {}, program: 'stack' },
    );
    return { out: written.out(), query: node?.came[0]?.query.toString() };
  }

  it('shows the newest last', async () => {
    const { out, query } = await asked({ limit: 2 });
    expect(out).toBe(`${ids.join('\n')}\n`);
    expect(query).toBe('limit=2');
  });

  it('begins after a sequence or at a time, and continues from there', async () => {
    const { out, query } = await asked({ since: '40', type: 'message_confirmed' });
    expect(query).toBe('type=message_confirmed&sequence=%5B%3E40&sort=sequence&limit=25');
    expect(out).toBe(`${ids.toReversed().join('\n')}\n`);
    expect((await asked({ since: '2026-01-15' })).query).toContain('created=%5B%3E%3D2026-01-15T00');
  });
});

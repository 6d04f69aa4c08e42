import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { fetchTransport } from '../../../src/client/transport.js';
import { ClientError } from '../../../src/client/errors.js';
import { itemTexts, readAll, readPage } from '../../../src/client/page.js';
import { textOf } from '../../../src/wire/json/json.js';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

interface Kept {
  readonly id: string;
  readonly created: string;
}

/** A node's list of messages by docs/api.md §8, as far as reading by key needs it; `asked` are the received queries. */
function listing(records: readonly Kept[]) {
  const asked: string[] = [];
  const answer: typeof fetch = (input) => {
    const { searchParams, search } = new URL(input instanceof Request ? input.url : input);
    asked.push(search);
    const until = searchParams.getAll('created').find((value) => value.startsWith('[<='));
    const found = records
      .filter(({ created }) => until === undefined || created <= until.slice('[<='.length))
      .toSorted((a, b) => (a.created < b.created ? 1 : -1));
    const skip = Number(searchParams.get('skip') ?? 0);
    const page = found.slice(skip, skip + Number(searchParams.get('limit')));
    return Promise.resolve(new Response(textOf(page.map(({ id, created }) => ({ header: { id, created } })))));
  };
  return { asked, client: createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(answer) }) };
}

const byCreated = {
  id: (message: { readonly header: { readonly id: string } }) => message.header.id,
  field: 'created',
  key: (message: { readonly header: { readonly created: string } }) => message.header.created,
};

async function idsOf(records: readonly Kept[]) {
  const { client, asked } = listing(records);
  const ids: string[] = [];
  for await (const entries of readAll(client, 'listMessages', [['tag', 'x']], byCreated)) {
    ids.push(...entries.map(({ value }) => value.header.id));
  }
  return { ids, asked };
}

describe('a page', () => {
  it('has each record with its text as served, and sends the given query', async () => {
    const items = [`{"header":{"id":"${uuid(1)}"}, "data":[{"value":{"a":[1.0,"],["]}}]}`, '{"header":{}}'];
    const asked: string[] = [];
    const answer: typeof fetch = (input) => {
      asked.push(String(input));
      return Promise.resolve(new Response(`[ ${items.join(' , ')} ]`));
    };
    const client = createClient({ url: 'http://127.0.0.1:1', transport: fetchTransport(answer) });
    const page = await readPage(client, 'listMessages', [
      ['topics', 'a b'],
      ['topics', '!c'],
    ]);
    expect(page.entries.map(({ text }) => text)).toEqual(items);
    expect(page.entries[0]?.value.header.id).toBe(uuid(1));
    expect(asked).toEqual(['http://127.0.0.1:1/api/v1/namespaces/default/messages?topics=a+b&topics=%21c']);
  });

  it('fails with the message of the node', async () => {
    const body = '{"error":"FF00142: unknown"}';
    const client = createClient({
      url: 'http://127.0.0.1:1',
      transport: fetchTransport(() => Promise.resolve(new Response(body, { status: 400 }))),
    });
    await expect(readPage(client, 'listMessages', [])).rejects.toBeInstanceOf(ClientError);
  });
});

describe('the texts of items', () => {
  it('are split only at the commas of the array', () => {
    expect(itemTexts('[]')).toEqual([]);
    expect(itemTexts('[ 1 ]')).toEqual(['1']);
    expect(itemTexts('["a,\\"]","[{",[1,[2]],{"b":[3,4]},5]')).toEqual([
      '"a,\\"]"',
      '"[{"',
      '[1,[2]]',
      '{"b":[3,4]}',
      '5',
    ]);
  });
});

describe('reading all', () => {
  it('goes by key, so that each record comes once however many share a key', async () => {
    const records = Array.from({ length: 3_500 }, (_, n) => ({
      id: uuid(n),
      created: n < 2_500 ? '2026-01-01T00:00:00.000Z' : `2026-01-02T00:00:00.${String(n % 1_000).padStart(3, '0')}Z`,
    }));
    const { ids, asked } = await idsOf(records);
    expect(ids).toHaveLength(3_500);
    expect(new Set(ids).size).toBe(3_500);
    expect(asked.every((query) => query.includes('tag=x') && query.includes('limit=1000'))).toBe(true);
  });

  it('ends with an empty list, and with a page that is exactly full', async () => {
    expect((await idsOf([])).ids).toEqual([]);
    const full = Array.from({ length: 1_000 }, (_, n) => ({ id: uuid(n), created: `2026-01-01T00:00:00.${n}Z` }));
    expect((await idsOf(full)).ids).toHaveLength(1_000);
  });
});

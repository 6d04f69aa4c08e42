import { describe, expect, test } from 'vitest';
import { oneNode } from '../../support/one-node.js';

/**
 * Requests as stock clients write them. A strict caller, such as this project's clients, gets an error for each slip.
 */

const node = oneNode();
const strict = { 'X-Parley-Strict': 'true' };
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${node().url}/api/v1/namespaces/default/${path}`, { headers });
  return { status: response.status, ignored: response.headers.get('X-Parley-Ignored'), text: await response.text() };
}
async function broadcast(header: object): Promise<string> {
  const response = await fetch(`${node().url}/api/v1/namespaces/default/messages/broadcast?confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ header, data: [{ value: 'x' }] }),
  });
  expect(response.status).toBe(200);
  return JSON.stringify(await response.json());
}
const idOf = (text: string) => /"id":"([^"]+)"/.exec(text)?.[1] ?? '';

describe('an unknown parameter', () => {
  test.each([
    ['messages?limit=1&colour=red&state=confirmed', 'colour'],
    ['messages?Frog=1&limit=1&toad[]=2&frog=3', 'Frog, toad[], frog'],
    ['tokens/connectors?count&limit=5', 'count, limit'],
    ['status?created=%3E%3E1700000000', 'created'],
  ])('is ignored and named: %s', async (path, ignored) => {
    expect(await get(path)).toMatchObject({ status: 200, ignored });
  });

  test('is refused with the nearest known name for a strict caller', async () => {
    const refused = await get('messages?topix=red', strict);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toEqual({ error: expect.stringMatching(/^FF00142: .*"topix".*"topic"/) });
    expect(await get('messages?topics=red', strict)).toMatchObject({ status: 200, ignored: null });
  });

  test('is named in visible ASCII, and only some of many are named', async () => {
    const { status, ignored } = await get(`messages?${Array.from({ length: 200 }, (_, i) => `é\n${i}=1`).join('&')}`);
    expect(status).toBe(200);
    expect(ignored).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+){0,30}$/);
  });
});

describe('a known parameter', () => {
  test.each(['messages?limit=25&count&skip=0$&created=', 'messages?limit=&skip=', 'transactions?created=&count'])(
    'may be written as the UI writes it: %s',
    async (path) => {
      expect(await get(path)).toMatchObject({ status: 200, ignored: null });
    },
  );

  test.each([
    ['messages?limit=x', 'FF00143'],
    ['messages?created=never', 'FF00143'],
    ['messages?skip=0$$', 'FF00143'],
  ])('has a value that can be read, whoever asks: %s → %s', async (path, code) => {
    for (const headers of [{}, strict]) {
      const { status, text } = await get(path, headers);
      expect([status, text.slice(0, 18)]).toEqual([400, `{"error":"${code}:`]);
    }
  });

  test('is not corrected for a strict caller', async () => {
    expect(await get('messages?skip=0$', strict)).toMatchObject({ status: 400 });
  });
});

describe('a filter for an empty value', () => {
  test('finds records with no value or an empty one, and its opposite the others', async () => {
    const tagged = idOf(await broadcast({ tag: 'full', topics: ['blank'] }));
    const plain = idOf(await broadcast({ tag: '', topics: ['blank'] }));
    const found = async (filter: string) => {
      const { text } = await get(`messages?topics=blank&${filter}`);
      return [tagged, plain].filter((id) => text.includes(`"header":{"id":"${id}"`));
    };
    expect(await found('tag=')).toEqual([plain]);
    expect(await found('tag=!')).toEqual([tagged]);
    expect(await found('cid=')).toEqual([tagged, plain]);
    expect(await found('group=!')).toEqual([]);
    expect(await found('rejected=')).toEqual([tagged, plain]);
    expect(await found('topics=!')).toEqual([tagged, plain]);
  });

  test('is how the UI requests failed operations', async () => {
    expect(JSON.parse((await get('operations?error=!&count')).text)).toMatchObject({ total: 0 });
  });
});

describe('a filter that FireFly’s description lists', () => {
  const none = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
  test.each([
    ...['identities', 'network/identities', 'network/organizations', 'network/nodes'].flatMap((list) =>
      ['claim', 'update', 'verification'].map((message) => `${list}?messages.${message}=${none}`),
    ),
    `groups?message=${none}`,
    'groups?description=x',
    `groups?ledger=${none}`,
  ])('filters: %s', async (path) => {
    expect(await get(path, strict)).toMatchObject({ status: 200, text: '[]' });
  });

  test('with fetchreference adds the referenced records to events of a list', async () => {
    await broadcast({ tag: 'referred' });
    const { text } = await get('events?fetchreference&type=message_confirmed&limit=1', strict);
    expect(JSON.parse(text)).toMatchObject([{ message: { header: { tag: 'referred' } } }]);
  });
});

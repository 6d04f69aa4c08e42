import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice']);
});
afterAll(() => network.stop());

/** Returns the names in the header of the answer to a broadcast. */
async function ignored(body: string, query = ''): Promise<string | null> {
  const response = await fetch(`${network.node.url}/api/v1/namespaces/default/broadcast/message${query}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(202);
  return response.headers.get('x-parley-ignored');
}

const data = [{ value: 1 }];

describe('unknown members of a request', () => {
  it('are named in a header; members that a node sets are not', async () => {
    const body = '{"colour":"red","header":{"id":"x","mood":1},"data":[{"value":1,"size":2}]}';
    expect(await ignored(body)).toBe('colour, header.mood, data[0].size');
    expect(await ignored(JSON.stringify({ data }))).toBeNull();
  });

  it('are named in visible ASCII, with a comma only between two names', async () => {
    expect(await ignored(JSON.stringify({ 'a,b': 1, 'c\r\nd': 2, é: 3, data }))).toBe('a?b, c??d, ?');
  });

  it('are limited to twenty names, of parameters and members together', async () => {
    const members = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`member${n}`, n]));
    const query = Array.from({ length: 15 }, (_, n) => `parameter${n}=1`).join('&');
    expect((await ignored(JSON.stringify({ ...members, data }), `?${query}`))?.split(', ')).toHaveLength(20);
  });
});

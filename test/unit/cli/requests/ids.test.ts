import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { resolveDataId, resolveGroupHash, resolveMessageId } from '../../../../src/cli/requests/ids.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

const id = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01';
const other = '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a02';
const hash = '4b'.repeat(32);

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

/** Starts a node that has these messages and one group. */
async function knowing(...ids: readonly string[]) {
  node = await startPlainNode(({ path, query }) => {
    const wanted = (query.get('id') ?? query.get('hash') ?? '').slice('^'.length);
    if (path === 'messages') {
      return { body: ids.filter((known) => known.startsWith(wanted)).map((known) => ({ header: { id: known } })) };
    }
    if (path === 'data')
      return { body: ids.filter((known) => known.startsWith(wanted)).map((known) => ({ id: known })) };
    return path === 'groups' ? { body: [{ hash }] } : undefined;
  });
  return createClient({ url: node.url });
}

describe('a typed id', () => {
  it('may be its first four or more characters, in any case', async () => {
    const client = await knowing(id);
    expect(await resolveMessageId(client, '9B1f')).toBe(id);
    expect(await resolveDataId(client, '9b1f6c2e-7a')).toBe(id);
    expect(await resolveGroupHash(client, '4b4b')).toBe(hash);
    expect(node?.came.map(({ query }) => query.get('id') ?? query.get('hash'))).toEqual([
      '^9b1f',
      '^9b1f6c2e-7a',
      '^4b4b',
    ]);
  });

  it('is used unchanged if it is complete', async () => {
    const client = await knowing();
    expect(await resolveMessageId(client, id.toUpperCase())).toBe(id);
    expect(await resolveGroupHash(client, hash)).toBe(hash);
    expect(node?.came).toEqual([]);
  });

  it('is refused if several begin with it, with their ids', async () => {
    const client = await knowing(id, other);
    const error: unknown = await resolveMessageId(client, '9b1f').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'USAGE' });
    expect(String(error)).toContain(`${id}, ${other}`);
  });

  it.each([
    ['9b1', 'USAGE'],
    ['order', 'USAGE'],
    ['^9b1f', 'USAGE'],
    ['ffff', 'NOT_FOUND'],
  ])('%s is refused with %s', async (typed, code) => {
    const client = await knowing(id);
    await expect(resolveMessageId(client, typed)).rejects.toMatchObject({ code });
  });
});

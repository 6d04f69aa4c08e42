import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOfHeader, hashOfReferences } from '../../../src/domain/hash.js';
import { identityId, systemNamespace } from '../../../src/domain/network/identity.js';
import { headerOf } from '../../../src/pipeline/records/records.js';
import type { NewRow } from '../../../src/ports/tables/tables.js';
import { startingWith } from '../../../src/ports/tables/where.js';
import { aBatch, aMessage } from '../../compliance/database/rows.js';
import { uuid } from '../../support/fixtures.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

let network: TestNetwork;
let ns: string;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
async function get(path: string): Promise<Answer> {
  const response = await fetch(path.startsWith('/') ? network.node.url + path : `${ns}/${path}`);
  return { status: response.status, body: await response.json() };
}
async function ids(query: string, kind = 'type=!definition&'): Promise<unknown[]> {
  const { status, body } = await get(`messages?${kind}${query}`);
  expect([status, Array.isArray(body)]).toEqual([200, true]);
  const items: { header: { id: string } }[] = Array.isArray(body) ? body : [];
  return items.map(({ header }) => [...Array(30).keys()].find((n) => uuid(n) === header.id));
}

const second = (n: number) => `2026-01-15T10:00:${String(n).padStart(2, '0')}.000Z`;
const decided = (n: number, at: number) => ({
  state: 'confirmed' as const,
  confirmed: second(at),
  rank: second(at),
  n,
});
/** Returns a message with correct hashes, since others are not served. */
function sealed(row: NewRow<'messages'>): NewRow<'messages'> {
  const header = { ...row, datahash: hashOfReferences(row.data) };
  return { ...header, hash: hashOfHeader(headerOf({ sequence: 1, ...header })) };
}
/** Hash of the message with number 1. */
let firstHash = '';
const parent = { parentType: 'token_transfer' as const, parentId: uuid(77) };
const undecided = (n: number, state: 'ready' | 'staged' = 'ready') => ({ state, rank: `~${second(n)}`, n });

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  ns = `${network.node.url}/api/v1/namespaces/default`;
  const messages = [
    decided(1, 50),
    undecided(2),
    decided(3, 40),
    decided(4, 40),
    { ...undecided(5, 'staged'), ...parent },
    { ...decided(6, 30), state: 'rejected' as const, confirmed: null, rejected: second(30), rejectReason: 'FF10198' },
    { state: 'cancelled' as const, rank: second(45), n: 7 },
  ].map(({ n, ...rest }) =>
    sealed({
      ...aMessage(),
      // A memory node would seal its own waiting messages.
      author: 'did:parley:org/carol',
      key: `0x${'c'.repeat(40)}`,
      id: uuid(n),
      created: second(n),
      tag: n % 2 === 0 ? 'even' : null,
      topics: n > 4 ? ['late', 'orders'] : ['orders'],
      ...rest,
    }),
  );
  firstHash = messages[0]?.hash ?? '';
  const definition = { ...aMessage(), namespace: systemNamespace, type: 'definition' as const, id: uuid(20) };
  await network.node.database.transaction(async (unit) => {
    await unit.insert('messages', messages);
    await unit.insert(
      'messages',
      [{ ...definition, topics: ['svc_ns_default'], ...decided(20, 59), author: 'did:parley:org/carol' }].map(
        ({ n: _, ...row }) => sealed(row),
      ),
    );
  });
});
afterAll(() => network.stop());

describe('a list of messages', () => {
  it('has undecided ones first, newest first, then decided ones by time of decision', async () => {
    expect(await ids('')).toEqual([5, 2, 1, 7, 4, 3, 6]);
    expect(await ids('ascending')).toEqual([6, 3, 4, 7, 1, 2, 5]);
  });

  it('of pending messages includes staged ones, and otherwise only confirmed ones', async () => {
    expect(await ids('pending')).toEqual([5, 2]);
    expect(await ids('pending=true')).toEqual([5, 2]);
    expect(await ids('pending=false')).toEqual([1, 4, 3]);
  });

  it('combines filters, in any spelling of their names', async () => {
    expect(await ids('Topics[]=late&tag=?')).toEqual([5, 7]);
    expect(await ids('topics=!late&state=confirmed')).toEqual([1, 4, 3]);
    expect(await ids('confirmed=>0&tag=even')).toEqual([4]);
    expect(await ids('rejected=>0')).toEqual([6]);
    expect(await ids(`rejected=<${second(31)}&state=rejected`)).toEqual([6]);
    expect(await ids('confirmed=?')).toEqual([5, 2, 7, 6]);
    expect(await ids('rejected=?&confirmed=?')).toEqual([5, 2, 7]);
    expect(await ids(`created=>=${second(3)}&created=[<${second(6)}`)).toEqual([5, 4, 3]);
    expect(await ids('state=pending')).toEqual([]);
    expect(await ids('txparent.type=token_transfer')).toEqual([5]);
    expect(await ids(`txparent.id=${uuid(77)}`)).toEqual([5]);
    expect(await ids(`id=^00000000&id=[$${uuid(3).slice(-4)}`)).toEqual([3]);
  });

  it('sorts by fields, with missing values last', async () => {
    expect(await ids('sort=-created&limit=3')).toEqual([7, 6, 5]);
    expect(await ids('sort=confirmed,-sequence')).toEqual([4, 3, 1, 7, 6, 5, 2]);
    expect(await ids('sort=tag,created&descending=false')).toEqual([2, 4, 6, 1, 3, 5, 7]);
  });

  it('continues from the time of a decision, in its own order: undecided ones come later', async () => {
    expect(await ids(`decided=[<=${second(40)}`)).toEqual([4, 3, 6]);
    expect(await ids(`decided=[>=${second(50)}`)).toEqual([5, 2, 1]);
    expect(await ids('sort=-decided')).toEqual(await ids(''));
  });

  it('has pages that neither overlap nor leave gaps, in every order', async () => {
    for (const order of ['', 'sort=state', 'sort=-tag', 'sort=datahash&descending']) {
      const pages = await Promise.all([0, 2, 4, 6].map((skip) => ids(`${order}&limit=2&skip=${skip}`)));
      expect(pages.flat()).toEqual(await ids(order));
      expect(new Set(pages.flat()).size).toBe(7);
    }
  });

  it('is an array, or with count an object with the number of all matches', async () => {
    expect((await get('messages?limit=0')).body).toEqual([]);
    expect((await get('messages?limit=0&count')).body).toEqual({ count: 0, total: 8, items: [] });
    expect((await get('messages?limit=1&count=true&topics=late')).body).toMatchObject({ count: 1, total: 3 });
    expect((await get('messages?count=false')).body).toBeInstanceOf(Array);
  });

  it.each([
    ['sort=colour', 'FF00142'],
    ['created=yesterday', 'FF00143'],
    ['id=abc', 'FF00143'],
    ['sequence=@1', 'FF00145'],
    ['sequence=!<1', 'FF00193'],
    ['skip=-1', 'FF00143'],
    ['limit=1001', 'FF00192'],
    ['skip=100001', 'FF00191'],
    [Array.from({ length: 300 }, () => 'tag=a').join('&'), 'FF00134'],
  ])('refuses %.30s with %s', async (query, code) => {
    const { status, body } = await get(`messages?${query}`);
    expect([status, body]).toEqual([400, { error: expect.stringContaining(`${code}: `) }]);
  });

  it('treats everything in a filter as text', async () => {
    for (const text of ["' or 1=1 --", '"', '%', '_', '\\', ')', '\u0000', '😀']) {
      for (const sign of ['', '@', '^', '$', ':']) {
        expect(await ids(`tag=${encodeURIComponent(sign + text)}`)).toEqual([]);
      }
    }
  });
});

describe('a record', () => {
  it('is found only in its namespace', async () => {
    expect((await get(`messages/${uuid(1).toUpperCase()}`)).status).toBe(200);
    const elsewhere = `/api/v1/namespaces/${systemNamespace}/messages/${uuid(1)}`;
    expect(await get(elsewhere)).toMatchObject({ status: 404, body: { error: expect.stringContaining('FF10109') } });
  });

  it('that is a definition is found and listed in the namespace where clients got its id', async () => {
    expect((await get(`messages/${uuid(20)}`)).body).toMatchObject({ header: { namespace: systemNamespace } });
    expect(await ids(`id=${uuid(20)}`, '')).toEqual([20]);
    expect(await ids('', '')).toEqual([5, 2, 20, 1, 7, 4, 3, 6]);
    expect(await ids('pending=false&limit=2&skip=1', '')).toEqual([1, 4]);
  });

  it('is requested with the hash if two have its id', async () => {
    expect((await get(`messages/${uuid(1)}?hash=${firstHash}`)).status).toBe(200);
    expect((await get(`messages/${uuid(1)}?hash=${'0'.repeat(64)}`)).status).toBe(404);
  });

  it.each(['messages/{id}', 'batches/{id}/progress'])('at %s is not found by an invalid hash', async (path) => {
    for (const hash of ['', 'x', `0x${firstHash}`]) {
      const answer = await get(`${path.replace('{id}', uuid(1))}?hash=${hash}`);
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('FF00107') } });
    }
  });

  it.each([
    ['batches/x', 400, 'FF00138'],
    [`batches/${uuid(1)}`, 404, 'FF10109'],
    ['groups/x', 400, 'FF00107'],
    [`groups/${'0'.repeat(64)}`, 404, 'FF10109'],
    [`events/${uuid(1)}`, 404, 'FF10109'],
    [`transactions/${uuid(1)}/status`, 404, 'FF10109'],
    ['transactions/x/operations', 400, 'FF00138'],
    [`transactions/${uuid(1)}/operations`, 404, 'FF10109'],
    [`transactions/${uuid(1)}/blockchainevents`, 404, 'FF10109'],
    [`messages/${uuid(2)}/transaction`, 404, 'FF10109'],
    ['identities/nobody', 400, 'FF00138'],
    ['identities/did:parley:org/nobody', 404, 'FF10109'],
    ['network/nodes/alice', 404, 'FF10109'],
    ['charts/histogram/colours', 400, 'FF10301'],
    ['charts/histogram/messages?buckets=0', 400, 'FF10298'],
    ['charts/histogram/messages?buckets=many', 400, 'FF10299'],
    ['charts/histogram/messages?startTime=soon', 400, 'FF10299'],
    ['charts/histogram/messages?startTime=2&endTime=1', 400, 'FF10300'],
  ])('%s answers %i %s', async (path, status, code) => {
    expect(await get(path)).toEqual({ status, body: { error: expect.stringContaining(`${code}: `) } });
  });
});

describe('paths', () => {
  it.each([
    'identities/did:parley:org/alice',
    'identities/did:parley:org%2Falice',
    'identities/did:firefly:org/alice',
    'network/organizations/alice',
    'network/identities/did:parley:org/alice',
  ])('%s names alice', async (path) => {
    const alice = { id: identityId('did:parley:org/alice'), did: 'did:parley:org/alice' };
    expect((await get(path)).body).toMatchObject(alice);
    expect((await get(`${path}/`)).body).toMatchObject(alice);
  });

  it('continue after a DID', async () => {
    const { body } = await get('identities/did:parley:org/alice/verifiers');
    expect(body).toMatchObject([{ type: 'ethereum_address', identity: identityId('did:parley:org/alice') }]);
    expect((await get('network/diddocs/did:parley:node/bob-node')).body).toMatchObject({
      verificationMethod: [{ dataExchangePeerID: expect.any(String) }],
    });
  });

  it('of a list answer HEAD without a body', async () => {
    const response = await fetch(`${ns}/messages?limit=1`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

it('a batch without a payload in the store is found by that, like one that is not stored yet', async () => {
  const states = [null, '', 'QmStored'].map((payloadRef, n) => aBatch({ id: uuid(40 + n), state: 'held', payloadRef }));
  await network.node.database.transaction((unit) => unit.insert('batches', states));
  const found = async (filter: string) => {
    const { body } = await get(`batches?sort=id&${filter}`);
    return (body as readonly { readonly id: string }[]).map(({ id }) => id);
  };
  expect(await found('payloadref=?')).toEqual([uuid(40), uuid(41)]);
  expect(await found('payloadref=!?')).toEqual([uuid(42)]);
});

describe('a chart', () => {
  it('counts records in each interval, as texts', async () => {
    const { body } = await get(`charts/histogram/messages?startTime=${second(1)}&endTime=${second(5)}&buckets=2`);
    expect(body).toEqual([
      { count: '2', timestamp: second(1), types: [{ count: '2', type: 'broadcast' }], isCapped: false },
      { count: '2', timestamp: second(3), types: [{ count: '2', type: 'broadcast' }], isCapped: false },
    ]);
  });
});

it('a node that is not registered yet reports it for every registration', async () => {
  await network.nodes[1]?.database.transaction((unit) =>
    unit.remove('identities', { did: startingWith('did:parley') }),
  );
  const requests = [
    ['network/organizations/self', {}],
    ['network/nodes/self', {}],
    ['identities', { name: 'desk' }],
    ['network/organizations', { name: 'daughter', parent: 'bob' }],
  ] as const;
  for (const [path, sent] of requests) {
    const url = `${network.nodes[1]?.url}/api/v1/${path}`;
    const body = JSON.stringify(sent);
    const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('PY1501')]);
  }
});

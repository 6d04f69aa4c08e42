import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.js';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Requests of FireFly's UI, of its Sandbox and of its SDK 1.3, reproduced by hand. */

let network: TokenNetwork;
let alice: ReturnType<typeof stockClient>;
let key: string;
/** Ids of one record for each kind of page in the UI. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  alice = stockClient(network.alice.url);
  key = network.alice.key;
  await alice.post('datatypes?confirm=true', { name: 'widget', version: '1', value: { type: 'object' } });
  const { body: sent } = await alice.post('messages/private?confirm=true', {
    header: { tag: 'ui', topics: ['ui'] },
    group: { members: [{ identity: 'did:firefly:org/bob' }] },
    data: [{ value: { n: 1 }, datatype: { name: 'widget', version: '1' } }],
  });
  await alice.post('messages/broadcast?confirm=true', { data: [{ value: 'to all' }] });
  const { body: pool } = await alice.post('tokens/pools?confirm=true', { name: 'ui-coins', type: 'fungible' });
  const { body: mint } = await alice.post('tokens/mint?confirm=true', { pool: 'ui-coins', amount: '10' });
  const [event] = await alice.list('events?limit=1');
  const [operation] = await alice.list('operations?limit=1');
  const [blockchainEvent] = await alice.list('blockchainevents?limit=1');
  const { body: mine } = await alice.get('status');
  const header: Record<string, unknown> = Object(sent['header']);
  const [item]: Record<string, unknown>[] = Object(sent['data']);
  Object.assign(ids, {
    msg: header['id'],
    group: header['group'],
    tx: sent['txid'],
    batch: sent['batch'],
    data: item?.['id'],
    pool: pool['id'],
    transfer: mint['localId'],
    node: Object(mine['node']).id,
    org: Object(mine['org']).id,
    event: event?.['id'],
    operation: operation?.['id'],
    blockchainevent: blockchainEvent?.['id'],
  });
}, 60_000);
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);

describe('the pages of the UI', () => {
  const page = 'limit=25&count&skip=0$';
  const since = 'created=%3E%3D1700000000';
  const chart = 'startTime=1700000000000&endTime=1800000000000&buckets=20';
  const counted = `count=true&limit=1&${since}`;
  const ofTokens = 'type=token_create_pool&type=token_activate_pool&type=token_transfer&type=token_approval';
  test.each([
    '/api/v1/namespaces',
    '/api/v1/namespaces/default/status',
    'status',
    'status/batchmanager',
    'network/organizations?limit=1000',
    'network/nodes?limit=1000',
    ...['messages', 'transactions', 'operations', 'events', 'tokentransfers', 'blockchainevents'].map(
      (collection) => `charts/histogram/${collection}?${chart}`,
    ),
    ...['messages', 'transactions', 'operations', 'events', 'blockchainevents', 'tokens/transfers', 'data'].flatMap(
      (list) => [`${list}?${page}&${since}`, `${list}?limit=1&count&created=`],
    ),
    `messages?limit=5&${since}&sort=-created`,
    `charts/histogram/events?startTime=1700000000&endTime=1800000000&buckets=10`,
    `transactions?${counted}&blockchainids=!`,
    `messages?${counted}&type=broadcast`,
    ...['transfer', 'mint', 'burn'].map((type) => `tokens/transfers?${counted}&type=${type}`),
    `operations?${counted}&${ofTokens}`,
    `operations?${counted}&${ofTokens}&status=Failed`,
    `events?limit=25&${since}&type=transaction_submitted&fetchreferences=true`,
    `events?limit=25&${since}&type=!transaction_submitted&fetchreferences=true`,
    'events?id={event}&fetchreferences',
    'events?tx={tx}&fetchreferences',
    'transactions?id={tx}',
    'operations?id={operation}',
    `tokens/accounts?${counted}`,
    'tokens/pools?count=true&limit=1',
    'tokens/balances?pool={pool}',
    `tokens/balances?${page}&namespace=default&connector=erc1155`,
    // A page that does not know its pool yet.
    'tokens/transfers?limit=25&count&skip=0&pool=undefined',
    '/api/v1//status',
    '/api/v1//network/nodes/{node}',
    '/api/v1//network/organizations/{org}',
    `events?${page}&${since}&fetchreferences=true`,
    `operations?${page}&${since}&error=!`,
    'operations?count&limit=1&status=Failed',
    `messages?${page}&${since}&author=^did:firefly:org`,
    'messages/{msg}?fetchdata=true',
    `messages/{msg}/data?${since}`,
    'messages/{msg}/events',
    'messages/{msg}/operations',
    'messages/{msg}/transaction',
    'batches/{batch}',
    `batches?${page}`,
    'data/{data}',
    'data/{data}/messages?limit=25&count',
    'datatypes/widget/1',
    `datatypes?${page}`,
    'groups/{group}',
    `groups?${page}`,
    'transactions/{tx}',
    'transactions/{tx}/operations?limit=25&count',
    'transactions/{tx}/blockchainevents?limit=25&count',
    'transactions/{tx}/status',
    'operations/{operation}',
    'events/{event}',
    'blockchainevents/{blockchainevent}',
    `identities?${page}&fetchverifiers`,
    'verifiers?limit=25&count',
    'tokens/connectors?count&limit=25',
    `tokens/pools?${page}`,
    'tokens/pools/{pool}',
    'tokens/transfers?limit=25&count&pool={pool}',
    'tokens/transfers/{transfer}',
    `tokens/balances?${page}&pool={pool}`,
    `tokens/accounts?${page}`,
    `apis?${page}`,
    `contracts/interfaces?${page}`,
    `contracts/listeners?${page}`,
    `subscriptions?${page}`,
    'websockets',
  ])('open with %s', async (path) => {
    const { status, body } = await alice.get(filled(path));
    expect({ path: filled(path), status, body }).toMatchObject({ status: 200 });
  });

  test('count what their cards show, and get a list of connectors whatever they request', async () => {
    expect((await alice.get(`transactions?${counted}&blockchainids=!`)).body).toMatchObject({ count: 1 });
    const { body: created } = await alice.get(`operations?${counted}&${ofTokens}`);
    expect(Number(created['total'])).toBeGreaterThanOrEqual(2);
    expect((await alice.get(`operations?${counted}&${ofTokens}&status=Failed`)).body).toMatchObject({ total: 0 });
    expect((await alice.get(`tokens/transfers?${counted}&type=mint`)).body).toMatchObject({ total: 1 });
    expect((await alice.get('tokens/connectors?count=true&limit=1')).body).toMatchObject([{ name: 'erc1155' }]);
    const others = await alice.list('events?type=!transaction_submitted&limit=1000');
    expect(others.map(({ type }) => type)).not.toContain('transaction_submitted');
  });

  test('listen for new records', async () => {
    const query = 'namespace=default&ephemeral&autoack&changeevents=.*&filter.events=message_confirmed';
    const socket = new WebSocket(`${network.alice.url.replace('http', 'ws')}/ws?${query}`);
    const heard: string[] = [];
    socket.on('message', (data) => heard.push(Buffer.isBuffer(data) ? data.toString() : ''));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    await alice.post('messages/broadcast', { data: [{ value: 'new' }] });
    await eventually(() => Promise.resolve(expect(heard.join()).toContain('message_confirmed')));
    socket.close();
  });
});

describe('the forms of the Sandbox', () => {
  test.each([
    ['messages/broadcast', { header: { topics: ['t'] }, data: [{ value: 'hello' }] }, 202],
    [
      'messages/broadcast',
      { header: { tag: 't' }, data: [{ datatype: { name: 'widget', version: '1' }, value: {} }] },
      202,
    ],
    ['messages/private', { header: {}, group: { members: [{ identity: 'bob' }] }, data: [{ value: 'hi' }] }, 202],
    ['messages/private', { group: { members: [{ identity: 'did:firefly:org/bob' }] }, data: [{ id: '{data}' }] }, 202],
    ['tokens/pools', { name: 'sand', symbol: '', type: 'fungible', config: {} }, 202],
    // The fields for an existing contract, left empty.
    ['tokens/pools', { name: 'beach', type: 'fungible', config: { address: '', blockNumber: '' } }, 202],
    ['tokens/mint', { pool: 'ui-coins', amount: 5, message: { header: {}, data: [{ value: 'for you' }] } }, 202],
    [
      'tokens/mint',
      {
        pool: 'ui-coins',
        amount: '5',
        message: {
          header: { type: 'transfer_private' },
          group: { members: [{ identity: 'did:firefly:org/bob' }] },
          data: [{ id: '{data}' }],
        },
      },
      202,
    ],
    ['tokens/transfers', { pool: 'ui-coins', to: 'did:firefly:org/bob', amount: '1', tokenIndex: null }, 202],
    ['tokens/burn', { pool: 'ui-coins', amount: '1', tokenIndex: '' }, 202],
    ['datatypes', { name: 'gadget', version: '1', validator: 'json', value: { type: 'object' } }, 202],
    [
      'contracts/interfaces/generate',
      { name: '', namespace: '', version: '', description: '', input: { abi: [] } },
      200,
    ],
  ])('are sent as POST %s %j', async (path, body, expected) => {
    const { status, body: answer } = await alice.post(path, filled(JSON.stringify(body)));
    expect({ status, answer }).toMatchObject({ status: expected });
  });

  test('request balances', async () => {
    expect(await alice.list(`tokens/balances?key=${key}&balance=%3E0`)).not.toEqual([]);
  });
});

describe('the SDK 1.3', () => {
  test('uses the default namespace if it was created without one', async () => {
    const client = stockClient(network.alice.url, 'undefined');
    expect((await client.get('status')).status).toBe(200);
    expect((await client.get('verifiers')).status).toBe(200);
  });

  test('registers its own organisation and node, even if they are registered', async () => {
    const name = 'alice';
    expect(await alice.post('network/organizations?confirm=true', { name })).toMatchObject({
      status: 200,
      body: { name },
    });
    expect(await alice.post('network/organizations/self?confirm=true')).toMatchObject({ status: 200, body: { name } });
    expect((await alice.post('network/nodes/self?confirm=true')).status).toBe(200);
    expect(await alice.post('network/action', { type: 'terminate' })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^FF10414: /) },
    });
    expect((await alice.post('network/organizations', { name: 'stranger' })).status).toBe(409);
  });

  test('publishes a pool that is published already, and gets that answer', async () => {
    const answer = await alice.post('tokens/pools/ui-coins/publish', {});
    expect(answer).toMatchObject({ status: 202, body: { name: 'ui-coins', published: true } });
    expect((await alice.post('tokens/pools/nothing/publish', {})).status).toBe(404);
  });

  test('sends arrays with brackets, flags as words, and a private message without data', async () => {
    expect(await alice.list('messages?topics[]=ui&topics[]=other&fetchdata=true&sort=created')).toHaveLength(1);
    const empty = { header: { tag: 'empty' }, group: { members: [{ identity: 'bob' }] }, data: [] };
    expect((await alice.post('messages/private?confirm=false', empty)).status).toBe(202);
  });
});

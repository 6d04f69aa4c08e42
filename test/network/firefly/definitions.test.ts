import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { stockClient } from '../../support/stock-client.js';

/** Definitions, as stock clients follow them: in the namespace that they define for. */

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob'], { namespaces: ['default', 'blue'] });
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const clients = () => network.nodes.map(({ url }) => stockClient(url));
const datatype = (name: string) => ({ name, version: '1', value: { type: 'object' } });
const idOf = (record: Readonly<Record<string, unknown>>) => String(Object(record['header']).id);

test('a confirmed definition is one message, listed, fetched and reported in its namespace everywhere', async () => {
  const [alice, bob] = clients();
  const answer = await alice?.post('datatypes?confirm=true', datatype('told'));
  const id = String(answer?.body['message']);
  for (const party of [alice, bob]) {
    const [event] = (await party?.list(`events?reference=${id}&fetchreferences`, 1)) ?? [];
    expect(event).toMatchObject({
      type: 'message_confirmed',
      namespace: 'default',
      message: { header: { id, type: 'definition', namespace: 'svc_system', tag: 'svc_define_datatype' } },
    });
    expect(await party?.list(`messages?id=${id}`)).toMatchObject([{ header: { id, namespace: 'svc_system' } }]);
    expect((await party?.get(`messages/${id}`))?.body).toMatchObject({ header: { namespace: 'svc_system' } });
    expect(await party?.list(`messages/${id}/events`)).toMatchObject([{ type: 'message_confirmed' }]);
    const there = '/api/v1/namespaces/svc_system';
    expect(await party?.list(`${there}/events?reference=${id}`)).toHaveLength(1);
    expect(await party?.list(`${there}/messages?id=${id}`)).toHaveLength(1);
    expect(await party?.list(`/api/v1/namespaces/blue/events?reference=${id}`)).toEqual([]);
    expect(await party?.list(`/api/v1/namespaces/blue/messages?id=${id}`)).toEqual([]);
  }
});

test('the batch, data and transaction of a definition are in the system namespace only', async () => {
  const [alice] = clients();
  const { body } = (await alice?.post('datatypes?confirm=true', datatype('placed'))) ?? {};
  const message = (await alice?.get(`messages/${String(body?.['message'])}`))?.body;
  const [{ id = '' } = {}] = Object(message?.['data']) as readonly { readonly id?: string }[];
  const batch = String(message?.['batch']);
  for (const path of [`batches/${batch}`, `data/${id}`, `transactions/${String(message?.['txid'])}`]) {
    expect((await alice?.get(path))?.status, path).toBe(404);
    expect((await alice?.get(`/api/v1/namespaces/svc_system/${path}`))?.status, path).toBe(200);
  }
});

test('a rejected definition is reported in its namespace at every party', async () => {
  const [alice, bob] = clients();
  await alice?.post('datatypes?confirm=true', datatype('twice'));
  const answer = await bob?.post('datatypes', datatype('twice'));
  expect(answer?.status).toBe(202);
  for (const party of [alice, bob]) {
    const path = `events?reference=${String(answer?.body['message'])}&fetchreferences`;
    const [event] = (await party?.list(path, 1)) ?? [];
    const rejected = expect.stringMatching(/Z$/) as string;
    expect(event).toMatchObject({ type: 'message_rejected', message: { state: 'rejected', rejected } });
    expect(event).not.toHaveProperty('message.confirmed');
  }
});

test('a list of messages has both kinds in one order, in pages that neither overlap nor leave gaps', async () => {
  const [alice] = clients();
  if (alice === undefined) return;
  for (const n of [1, 2, 3]) {
    await alice.post('messages/broadcast?confirm=true', { data: [{ value: n }] });
    await alice.post('datatypes?confirm=true', datatype(`page-${n}`));
  }
  const all = await eventually(async () => {
    const rows = await alice.list('messages?limit=100');
    expect(rows.filter(({ state }) => state === 'ready')).toEqual([]);
    return rows.map(idOf);
  });
  expect(all.length).toBeGreaterThan(6);
  expect(new Set(all).size).toBe(all.length);
  for (const order of ['', 'sort=created&', 'sort=-tag&', 'ascending&']) {
    const whole = (await alice.list(`messages?${order}limit=100`)).map(idOf);
    expect(new Set(whole)).toEqual(new Set(all));
    for (const size of [1, 2, 3]) {
      const pages: string[] = [];
      for (let skip = 0; skip < whole.length + size; skip += size) {
        pages.push(...(await alice.list(`messages?${order}limit=${size}&skip=${skip}`)).map(idOf));
      }
      expect(pages).toEqual(whole);
    }
  }
  const { body } = await alice.get('messages?count&limit=2');
  expect(body).toMatchObject({ count: 2, total: all.length });
  expect((await alice.get('messages?count&type=broadcast')).body).toMatchObject({ total: 3 });
  expect((await alice.get('messages?count&limit=0')).body).toMatchObject({ total: all.length });
});

test('a waiting definition is counted as pending once, in the namespace where it is stored', async () => {
  const [alice] = clients();
  if (alice === undefined) return;
  const pendingIn = async (namespace: string) => {
    const { status, body } = await alice.get(`/api/v1/namespaces/${namespace}/status`);
    return { status, pending: Object(body['parley']).pending };
  };
  const none = { status: 200, pending: 0 };
  expect(await pendingIn('svc_system')).toEqual(none);
  network.ledger.starve(true);
  try {
    expect((await alice.post('datatypes', datatype('waiting'))).status).toBe(202);
    expect(await pendingIn('svc_system')).toEqual({ status: 200, pending: 1 });
    expect(await pendingIn('default')).toEqual(none);
    expect(await pendingIn('blue')).toEqual(none);
  } finally {
    network.ledger.starve(false);
  }
  await eventually(async () => expect(await pendingIn('svc_system')).toEqual(none));
});

test('a chart counts definitions only in the namespace where they are stored', async () => {
  const [alice] = clients();
  if (alice === undefined) return;
  const typesIn = async (namespace: string) => {
    const path = `/api/v1/namespaces/${namespace}/charts/histogram/messages?buckets=1`;
    const { status, body } = await alice.get(path);
    return { status, types: Array.isArray(body) ? body.map((bucket) => Object(bucket).types) : body };
  };
  const kept = (await alice.list('/api/v1/namespaces/svc_system/messages?limit=100')).length;
  expect(kept).toBeGreaterThan(3);
  const definitions = [{ count: String(kept), type: 'definition' }];
  expect(await typesIn('svc_system')).toEqual({ status: 200, types: [definitions] });
  expect(await typesIn('default')).toEqual({ status: 200, types: [[{ count: '3', type: 'broadcast' }]] });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataClient, type DataClient, refusal } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

interface EventRecord {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly reference: string;
  readonly tx?: string;
}
interface Sent {
  readonly header: { readonly id: string };
  readonly batch?: string;
  readonly txid?: string;
}

let network: TestNetwork;
let client: DataClient;
let ask: Sent;
let answer: Sent;
let datatype: { readonly id: string; readonly message: string };

beforeAll(async () => {
  network = await startTestNetwork(['alice']);
  client = createDataClient(network.node);
  ask = await sent('messages/broadcast', '{"header":{"topics":["b","a"],"tag":"ask"},"data":[{"value":1}]}');
  const header = `{"cid":"${ask.header.id}","txtype":"none","tag":"reply"}`;
  answer = await sent(
    'messages/private',
    `{"header":${header},"group":{"members":[{"identity":"alice"}]},"data":[{"value":2}]}`,
  );
  const defined = await client.post('datatypes?confirm', '{"name":"n","version":"1","value":{"type":"number"}}');
  datatype = (await defined.json()) as typeof datatype;
  await client.post('identities?confirm', '{"name":"desk"}');
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

async function sent(path: string, body: string): Promise<Sent> {
  const response = await client.post(`${path}?confirm`, body);
  expect(response.status).toBe(200);
  return (await response.json()) as Sent;
}

async function list(query: string, path = 'events'): Promise<EventRecord[]> {
  const response = await client.call(`${path}?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as EventRecord[];
}

const time = expect.stringMatching(/^\d{4}-.*Z$/) as string;
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const number = expect.any(Number) as number;

describe('an event', () => {
  test('of a broadcast has the transaction of its pin and the first of its topics', async () => {
    expect(await list(`reference=${ask.header.id}`)).toEqual([
      {
        id: uuid,
        sequence: number,
        type: 'message_confirmed',
        namespace: 'default',
        reference: ask.header.id,
        tx: ask.txid,
        topic: 'b',
        created: time,
      },
    ]);
  });
  test('of a reply has the id of the request as its correlator', async () => {
    expect(await list(`reference=${answer.header.id}`)).toMatchObject([
      { type: 'message_confirmed', correlator: ask.header.id, tx: answer.txid, topic: 'default' },
    ]);
  });
  test('of a transaction precedes its results, and has the type as its topic', async () => {
    for (const [{ txid = '' }, type] of [
      [ask, 'batch_pin'],
      [answer, 'none'],
    ] as const) {
      const [confirmed, submitted] = await list(`tx=${txid}&fetchreferences`);
      expect(confirmed).toMatchObject({ type: 'message_confirmed' });
      expect(submitted).toMatchObject({
        type: 'transaction_submitted',
        reference: txid,
        tx: txid,
        topic: type,
        transaction: { id: txid, type },
      });
    }
  });
  test("of a pin is in the system namespace, with the chain's information about it", async () => {
    const [pinned] = await list(
      `type=blockchain_event_received&tx=${ask.txid}&fetchreferences`,
      '../svc_system/events',
    );
    expect(pinned).toMatchObject({
      namespace: 'svc_system',
      topic: 'svc_batch_pin',
      blockchainEvent: {
        name: 'BatchPin',
        source: 'ethereum',
        output: { payloadRef: expect.stringMatching(/./) as string },
        tx: { type: 'batch_pin', id: ask.txid },
      },
    });
    const path = `transactions/${ask.txid}/blockchainevents`;
    expect(await list('', path)).toMatchObject([{ id: pinned?.reference }]);
    expect((await client.call(`transactions/${datatype.id}/blockchainevents`)).status).toBe(404);
  });
  test('of a datatype is in its namespace, with the transaction of its batch', async () => {
    expect(await list('type=datatype_confirmed')).toEqual([
      {
        id: uuid,
        sequence: number,
        type: 'datatype_confirmed',
        namespace: 'default',
        reference: datatype.id,
        topic: 'svc_definition',
        tx: uuid,
        created: time,
      },
    ]);
  });
  test('of the definition itself is in both namespaces, after it, and names what it defines', async () => {
    const [own] = await list('type=datatype_confirmed');
    const [event] = await list(`reference=${datatype.message}`, '../svc_system/events');
    expect(event).toMatchObject({
      type: 'message_confirmed',
      namespace: 'svc_system',
      correlator: datatype.id,
      topic: 'svc_ns_default',
    });
    expect(event?.sequence).toBeGreaterThan(own?.sequence ?? Infinity);
    const [here] = await list(`reference=${datatype.message}`);
    expect(here).toMatchObject({ type: 'message_confirmed', namespace: 'default', correlator: datatype.id });
    expect(here?.sequence).toBeGreaterThan(own?.sequence ?? Infinity);
    expect(await list('', `messages/${datatype.message}/events`)).toEqual([here]);
  });
  test('of an identity is in every namespace', async () => {
    for (const path of ['events', '../svc_system/events']) {
      const [newest] = await list('type=identity_confirmed&fetchreferences', path);
      expect(newest).toMatchObject({ topic: 'svc_definition', identity: { id: newest?.reference, name: 'desk' } });
    }
  });
});

describe('a list of events', () => {
  test('is in the order of insertion, newest first', async () => {
    const sequences = (await list('limit=100')).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => b - a));
    expect((await list('ascending&limit=100')).map(({ sequence }) => sequence)).toEqual(sequences.toReversed());
  });
  test('is filtered by each of its fields', async () => {
    const [event] = await list(`reference=${answer.header.id}`);
    const of = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await of(`id=${event?.id}`)).toEqual([event?.id]);
    expect(await of(`correlator=${ask.header.id}`)).toEqual([event?.id]);
    expect(await of(`tx=${answer.txid}&type=message_confirmed`)).toEqual([event?.id]);
    expect(await of(`sequence=${event?.sequence}`)).toEqual([event?.id]);
    expect(await of('type=message_rejected')).toEqual([]);
    expect(await of('created=<2020-01-01T00:00:00Z')).toEqual([]);
    expect(await of('reference=^00000000')).toEqual([]);
  });
  test('is filtered by any topic of a message, whichever is shown', async () => {
    for (const topic of ['a', 'b']) {
      expect(await list(`topic=${topic}`)).toMatchObject([{ reference: ask.header.id, topic: 'b' }]);
    }
  });
  test('includes on request the records that its events refer to', async () => {
    const { batch } = ask;
    const message = { header: { tag: 'ask' }, state: 'confirmed', batch, batchID: batch, data: [{ id: uuid }] };
    expect(await list(`fetchreferences&reference=${ask.header.id}`)).toMatchObject([{ message }]);
    expect(await list(`fetchreferences&reference=${datatype.id}`)).toMatchObject([{ datatype: { name: 'n' } }]);
    expect((await list(`fetchreferences=false&reference=${ask.header.id}`))[0]).not.toHaveProperty('message');
    expect(await list(`fetchreferences`, `messages/${ask.header.id}/events`)).toMatchObject([{ message }]);
  });
});

describe('one event', () => {
  test('is found by its id, and includes on request the record that it refers to', async () => {
    const [event] = await list(`reference=${ask.header.id}`);
    const one = async (query: string) => (await client.call(`events/${event?.id}?${query}`)).json();
    expect(await one('')).toEqual(event);
    expect(await one('fetchreference=true')).toMatchObject({ ...event, message: { header: { tag: 'ask' } } });
  });
  test('is found only in its own namespace', async () => {
    const [event] = await list(`reference=${ask.header.id}`);
    expect(await refusal(client.call(`../svc_system/events/${event?.id}`))).toBe('404 FF10109');
  });
  test('cannot be found by an invalid id', async () => {
    expect(await refusal(client.call('events/first'))).toBe('400 FF00138');
  });
});

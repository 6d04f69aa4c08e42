import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { createDataClient, type DataClient, refusal } from '../../support/data-client.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

let network: TestNetwork;
let client: DataClient;

beforeAll(async () => {
  network = await startTestNetwork(['alice']);
  client = createDataClient(network.node);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const send = (method: string, path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  client.call(path, { method, body, headers: { 'content-type': 'application/json', ...headers } });
const strict = { 'x-parley-strict': 'true' };
const create = (body: string) => send('POST', 'subscriptions', body);
const json = async (path: string): Promise<unknown> => (await client.call(path)).json();
const namesOf = async (query: string) => {
  const list = await json(`subscriptions?${query}`);
  return Array.isArray(list) ? list.map(({ name }: { name: string }) => name) : list;
};

test('a subscription is answered as specified, with and without the prefix of the other paths', async () => {
  const answer = (id: string, created: string, newest: string) =>
    `{"id":"${id}","namespace":"default","name":"app1","transport":"websockets",` +
    '"filter":{"events":"^message_confirmed$","message":{"topics":"^orders$"},"transaction":{},"blockchainevent":{}},' +
    `"options":{"firstEvent":"${newest}","firstEventGiven":"newest","readAhead":50,"withData":false},` +
    `"ephemeral":false,"created":"${created}","updated":null}`;
  const paths = ['/namespaces/default', '/api/v1/namespaces/default', '/api/v1'];
  for (const path of paths.map((prefix) => `${network.node.url}${prefix}/subscriptions`)) {
    const response = await fetch(path, {
      method: 'POST',
      body:
        '{"transport":"websockets","name":"app1","filter":{"events":"^message_confirmed$","message":{"topics":' +
        '"^orders$"}}, "options":{"firstEvent":"newest","readAhead":50}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(201);
    const text = await response.text();
    const { id, created, options } = JSON.parse(text) as Record<'id' | 'created', string> & {
      options: { firstEvent: string };
    };
    expect(options.firstEvent).toMatch(/^\d+$/);
    expect(text).toBe(answer(id, created, options.firstEvent));
    expect(await (await fetch(`${path}/${id}`)).text()).toBe(text);
    expect(await (await fetch(`${path}/app1`)).text()).toBe(text);
    expect(await (await fetch(`${path}?name=app1`)).text()).toBe(`[${text}]`);
    const removed = await fetch(`${path}/${id}`, { method: 'DELETE' });
    expect([removed.status, await removed.text()]).toEqual([204, '']);
    expect((await fetch(`${path}/${id}`)).status).toBe(404);
  }
});

test('a subscription may be posted again as it was read', async () => {
  const read = await (await create('{"name":"posted","filter":{"tag":"^t$"},"options":{"batch":true}}')).text();
  const again = await send('PUT', 'subscriptions', read);
  expect(again.status).toBe(200);
  const { updated, ...rest } = (await again.json()) as Record<string, unknown>;
  expect({ ...rest, updated: null }).toEqual(JSON.parse(read));
  expect(updated).toMatch(/Z$/);
});

test('a list has filters, order and count', async () => {
  const noFilter = '{"message":{},"transaction":{},"blockchainevent":{}}';
  await create('{"name":"list-1","filter":{"events":"^message_confirmed$"}}');
  await create('{"name":"list-2","filter":{"events":"^message_rejected$"},"options":{"readAhead":7}}');
  await create('{"name":"list-3"}');
  expect(await namesOf('name=^list-')).toEqual(['list-3', 'list-2', 'list-1']);
  expect(await namesOf('name=^list-&ascending&limit=2')).toEqual(['list-1', 'list-2']);
  expect(await namesOf('events=@rejected&name=^list-')).toEqual(['list-2']);
  expect(await namesOf('events=!@rejected&name=^list-')).toEqual(['list-3', 'list-1']);
  expect(await namesOf('options=@"readAhead":7&name=^list-')).toEqual(['list-2']);
  expect(await namesOf(`filters=${noFilter}&name=^list-`)).toEqual(['list-3']);
  expect(await json('subscriptions?name=^list-&limit=1&count')).toMatchObject({ count: 1, total: 3 });
  expect(await namesOf('transport=webhooks')).toEqual([]);
});

test('fetchstatus shows the position of a subscription without a connection', async () => {
  await create('{"name":"status","options":{"firstEvent":-1}}');
  await client.post('messages/broadcast?confirm', '{"data":[{"value":1}]}');
  const events = (await json('events?limit=1')) as { sequence: number }[];
  const lag = events[0]?.sequence;
  const status = { currentOffset: -1, connections: 0, inFlight: 0, lag };
  expect(await json('subscriptions/status?fetchstatus')).toMatchObject({ status });
  expect(await json('subscriptions?name=status&fetchstatus=true')).toMatchObject([{ status }]);
  expect(await json('subscriptions/status')).not.toHaveProperty('status');
});

describe('the past events of a subscription', () => {
  const sequences = async (query: string) => {
    const list = await json(`subscriptions/past/events?${query}`);
    return Array.isArray(list) ? list.map(({ sequence }: { sequence: number }) => sequence) : list;
  };
  let [first, second, third] = [0, 0, 0];

  beforeAll(async () => {
    await create('{"name":"past","filter":{"message":{"tag":"^past-"}}}');
    for (const tag of ['past-1', 'other', 'past-2', 'past-3']) {
      await client.post('messages/broadcast?confirm', `{"header":{"tag":"${tag}"},"data":[{"value":1}]}`);
    }
    await eventually(async () => {
      const all = await sequences('ascending');
      if (!Array.isArray(all)) throw new Error('There is no list');
      expect(all).toHaveLength(3);
      [first = 0, second = 0, third = 0] = all as number[];
    });
  });

  test('are those that match its filter, newest first', async () => {
    expect(await sequences('')).toEqual([third, second, first]);
  });
  test('are those of a range, including both ends', async () => {
    expect(await sequences(`startsequence=${second}&endsequence=${third}`)).toEqual([third, second]);
    expect(await sequences(`startsequence=${first}&endsequence=${second}&ascending`)).toEqual([first, second]);
    expect(await sequences(`startsequence=${second}`)).toEqual([third, second]);
    expect(await sequences(`endsequence=${first}`)).toEqual([first]);
    expect(await sequences(`startsequence=${third}&endsequence=${first}`)).toEqual([]);
  });
  test('accept the filters and controls of a list, and include referenced records', async () => {
    expect(await sequences(`sequence=<${third}&limit=1`)).toEqual([second]);
    expect(await sequences('skip=1&limit=1')).toEqual([second]);
    expect(await sequences('topic=elsewhere')).toEqual([]);
    expect(await json('subscriptions/past/events?limit=1&count&fetchreferences')).toMatchObject({
      count: 1,
      total: 3,
      items: [{ message: { header: { tag: 'past-3' } } }],
    });
  });
  test('are refused for a range that is too wide or invalid', async () => {
    const refusalOf = (query: string) => refusal(client.call(`subscriptions/past/events?${query}`));
    expect(await refusalOf('startsequence=1&endsequence=1001')).toBe('400 FF10463');
    expect(await sequences('startsequence=1&endsequence=1000')).toEqual([third, second, first]);
    for (const query of ['startsequence=x', 'endsequence=1.5', 'startsequence=']) {
      expect(await refusalOf(query)).toBe('400 FF10464');
    }
    expect(await refusal(client.call('subscriptions/nothing/events'))).toBe('404 FF10109');
  });
});

test('an invalid request is refused, and nothing is stored', async () => {
  const before = await namesOf('');
  const refused: Readonly<Record<string, string>> = {
    '{}': '400 FF00112',
    '{"name":7}': '400 PY1011',
    '{"name":"a b"}': '400 FF00140',
    '{"name":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"}': '400 FF00141',
    '{"name":"svc_x"}': '400 PY1105',
    '{"name":"x","transport":"pigeons"}': '400 FF10172',
    '{"name":"x","filter":{"events":"("}}': '400 FF10171',
    '{"name":"x","filter":"x"}': '400 PY1011',
    '{"name":"x","filter":{"tag":"a","message.tag":"b"}}': '400 FF10189',
    '{"name":"x","options":{"firstEvent":"latest"}}': '400 FF10191',
    '{"name":"x","options":{"firstEvent":-2}}': '400 FF10192',
    '{"name":"x","options":{"withData":true}}': '400 FF10244',
    '{"name":"x","options":{"readAhead":65536}}': '400 FF10189',
    '{"name":"x","options":{"batch":true,"batchTimeout":"soon"}}': '400 FF00137',
  };
  for (const [body, expected] of Object.entries(refused)) {
    expect([body, await refusal(create(body))]).toEqual([body, expected]);
    expect([body, await refusal(send('PUT', 'subscriptions', body))]).toEqual([body, expected]);
  }
  expect(await namesOf('')).toEqual(before);
});

test('an unknown filter or option is refused for a strict caller, with the nearest name', async () => {
  const refused: Readonly<Record<string, string>> = {
    '{"name":"x","filter":{"evnts":"x"}}': 'did you mean "events"',
    '{"name":"x","filter":{"message":{"tagg":"x"}}}': 'did you mean "message.tag"',
    '{"name":"x","options":{"readahed":1}}': 'did you mean "readAhead"',
  };
  for (const [body, hint] of Object.entries(refused)) {
    for (const method of ['POST', 'PUT']) {
      const response = await send(method, 'subscriptions', body, strict);
      const { error }: { error: string } = JSON.parse(await response.text());
      expect([response.status, error]).toEqual([400, expect.stringMatching(/^PY1601: /)]);
      expect(error).toContain(hint);
    }
  }
});

test('an unknown filter or option is ignored for any other caller, and named in the header', async () => {
  const hook = '{"url":"http://127.0.0.1:9/","retry":{"initial":"1s","count":2},"colour":"red"}';
  const ignored: Readonly<Record<string, string | null>> = {
    '{"name":"y","filter":{"evnts":"x","events":"^a$"},"options":{"readahead":1,"readAhead":2}}':
      'filter.evnts, options.readahead',
    '{"name":"y","filter":{"message":{"tagg":"x","tag":"^b$"},"message.frog":"x"},"options":{"url":"x"}}':
      'filter.message.frog, filter.message.tagg, options.url',
    '{"name":"y","filter":{"message.tag":"^b$"},"options":{"firstEvent":"oldest"}}': null,
    [`{"name":"z","transport":"webhooks","options":${hook}}`]: 'options.colour, options.retry.initial',
  };
  for (const [body, named] of Object.entries(ignored)) {
    const response = await send('PUT', 'subscriptions', body);
    expect([body, response.status, response.headers.get('x-parley-ignored')]).toEqual([body, 200, named]);
  }
  expect(await json('subscriptions?name=y')).toMatchObject([{ filter: { message: { tag: '^b$' } } }]);
  expect(await json('subscriptions?name=z')).toMatchObject([{ options: { retry: { count: 2 } } }]);
});

test('a name is unique, and a missing subscription cannot be read or removed', async () => {
  expect((await create('{"name":"once"}')).status).toBe(201);
  expect(await refusal(create('{"name":"once"}'))).toBe('409 FF10193');
  for (const method of ['GET', 'DELETE']) {
    expect(await refusal(client.call('subscriptions/nothing', { method }))).toBe('404 FF10109');
  }
});

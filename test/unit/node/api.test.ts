import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { networkLimits } from '../../../src/domain/network/limits.js';
import { firstRules, recordedLimits } from '../../../src/domain/network/network-rules.js';
import { eventually } from '../../support/eventually.js';
import { systemNamespace } from '../../../src/domain/network/identity.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

let network: TestNetwork;
let ns: string;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  ns = `${network.node.url}/api/v1/namespaces/default`;
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

const someId = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
const json = { 'content-type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = json) =>
  fetch(`${ns}/${path}`, { method: 'POST', body, headers });
const broadcast = (body: string) => post('broadcast/message', body);
async function answer(response: Promise<Response>): Promise<{ status: number; text: string }> {
  const settled = await response;
  return { status: settled.status, text: await settled.text() };
}
function fields(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  expect(value).toBeTypeOf('object');
  return { ...(value instanceof Object ? value : {}) };
}

describe('a broadcast', () => {
  test('is answered with 202 and the stored message, with its fields in order', async () => {
    const { status, text } = await answer(
      broadcast('{"header": {"tag": "new_order", "topics": ["orders"]}, "data": [{"value": {"price": 1.50}}]}'),
    );
    expect(status).toBe(202);
    expect(Object.keys(fields(text))).toEqual(['header', 'localNamespace', 'hash', 'state', 'data', 'pins']);
    expect(fields(text)).toMatchObject({
      header: {
        type: 'broadcast',
        txtype: 'batch_pin',
        author: 'did:parley:org/alice',
        namespace: 'default',
        topics: ['orders'],
        topic: ['orders'],
        tag: 'new_order',
      },
      state: 'ready',
      pins: ['1c168adb00d208e42f93314529f1fa9c0427eb63233ceda95a5db52b7012a719'],
    });
  });

  test('is confirmed at every party with the bytes that were sent', async () => {
    const value = '{"b":12345678901234567890,"a":1.0,"s":"\\u0041é","e":1e2}';
    const { text } = await answer(broadcast(`{"data":[{"value":${value}}]}`));
    const { header } = fields(text) as { header: { id: string } };
    for (const { url } of network.nodes) {
      const path = `${url}/api/v1/namespaces/default/messages/${header.id}`;
      await eventually(async () => expect((await answer(fetch(path))).text).toContain('"state":"confirmed"'));
      expect((await answer(fetch(`${path}/data`))).text).toContain(`"value":${value}`);
      expect((await answer(fetch(`${path}?data=true`))).text).toContain(`"value":${value}`);
      expect((await answer(fetch(path))).text).not.toContain('"value"');
    }
  });

  test('may refer to data of this node', async () => {
    const first = fields((await answer(broadcast('{"data":[{"value":"kept"}]}'))).text) as { data: { id: string }[] };
    const again = await answer(broadcast(`{"data":[{"id":"${first.data[0]?.id}"}]}`));
    expect(again.status).toBe(202);
    expect(fields(again.text)).toMatchObject({ data: first.data });
    const other = await answer(broadcast(`{"data":[{"id":"${first.data[0]?.id}","hash":"${'0'.repeat(64)}"}]}`));
    expect(other).toMatchObject({ status: 400, text: expect.stringContaining('FF10201') });
  });

  test('with a used idempotency key is refused with the id of the first, even if both arrive at once', async () => {
    const body = '{"idempotencyKey":"once","data":[{"value":1}]}';
    const answers = await Promise.all(Array.from({ length: 32 }, () => answer(broadcast(body))));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    const { header } = fields(accepted[0]?.text ?? '') as { header: { id: string } };
    for (const { text } of answers.filter(({ status }) => status === 409)) {
      expect(text).toMatch(/FF10430/);
      expect(text).toContain(header.id);
    }
  });
});

test('blank members, null or empty texts, count as absent', async () => {
  const header = '{"tag":null,"topics":null,"cid":"","author":"","key":"","type":"","txtype":null}';
  const body = `{"header":${header},"idempotencyKey":"","data":[{"id":null,"value":null,"validator":""}]}`;
  for (const { status, text } of [await answer(broadcast(body)), await answer(broadcast(body))]) {
    expect({ status, text }).toMatchObject({ status: 202 });
    expect(fields(text)).toMatchObject({ header: { author: 'did:parley:org/alice', topics: ['default'] } });
    expect(text).not.toContain('idempotencyKey');
  }
  const value = '"\\ud800"';
  expect(await answer(broadcast(`{"data":[{"value":${value}}]}`))).toMatchObject({ status: 202 });
});

describe('invalid input is refused with its code, and nothing is stored', () => {
  const bodies: [string, number, string, string][] = [
    ['a cut text', 400, 'FF10103', '{"data":'],
    ['two texts', 400, 'FF10103', '{"data":[{"value":1}]}{}'],
    ['an array', 400, 'PY1011', '[]'],
    ['no data', 400, 'PY1101', '{}'],
    ['empty data', 400, 'PY1101', '{"data":[]}'],
    ['an item without content', 400, 'FF10205', '{"data":[{}]}'],
    ['an item with value and id', 400, 'PY1102', '{"data":[{"value":1,"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"}]}'],
    ['an item with a blob', 400, 'PY1102', '{"data":[{"value":1,"blob":{"hash":"x"}}]}'],
    ['an id that is no UUID', 400, 'FF00138', '{"data":[{"id":"x"}]}'],
    ['an id that is not held', 400, 'FF10204', '{"data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"}]}'],
    [
      'an id twice',
      400,
      'FF00129',
      '{"data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11"},{"id":"3D5B8A52-2c1f-4b7e-9f60-1b0a4d7c9e11"}]}',
    ],
    ['a datatype', 400, 'FF10195', '{"data":[{"value":1,"datatype":{"name":"a","version":"1"}}]}'],
    ['half a datatype', 400, 'FF00112', '{"data":[{"value":1,"datatype":{"name":"a"}}]}'],
    ['an unknown validator', 400, 'FF10194', '{"data":[{"value":1,"validator":"xml"}]}'],
    ['topics of the wrong type', 400, 'PY1011', '{"header":{"topics":"a"},"data":[{"value":1}]}'],
    ['a topic that is no name', 400, 'FF00140', '{"header":{"topics":["a b"]},"data":[{"value":1}]}'],
    ['a topic twice', 400, 'FF00133', '{"header":{"topics":["a","a"]},"data":[{"value":1}]}'],
    [
      'too many topics',
      400,
      'FF00134',
      `{"header":{"topics":[${Array.from({ length: 11 }, (_, i) => `"t${i}"`).join()}]},"data":[{"value":1}]}`,
    ],
    ['a reserved tag', 400, 'PY1105', '{"header":{"tag":"svc_x"},"data":[{"value":1}]}'],
    ['another type', 400, 'FF10287', '{"header":{"type":"private"},"data":[{"value":1}]}'],
    ['half of a surrogate pair in a key', 400, 'PY1005', '{"idempotencyKey":"\\ud800","data":[{"value":1}]}'],
    ['half of a surrogate pair in a header', 400, 'PY1005', '{"header":{"author":"a\\udc00"},"data":[{"value":1}]}'],
    ['txtype none', 400, 'FF00130', '{"header":{"txtype":"none"},"data":[{"value":1}]}'],
    ['a group', 400, 'PY1103', '{"group":{"members":[]},"data":[{"value":1}]}'],
    ['a group in the header', 400, 'PY1103', '{"header":{"group":"x"},"data":[{"value":1}]}'],
    ['the author of somebody else', 400, 'FF10206', '{"header":{"author":"bob"},"data":[{"value":1}]}'],
    ['the key of somebody else', 400, 'FF10206', '{"header":{"key":"0x00"},"data":[{"value":1}]}'],
    ['a cid that is no UUID', 400, 'FF00138', '{"header":{"cid":"x"},"data":[{"value":1}]}'],
    ['a long idempotency key', 400, 'FF00135', `{"idempotencyKey":"${'k'.repeat(257)}","data":[{"value":1}]}`],
    ['a repeated key', 400, 'PY1005', '{"data":[{"value":1}],"data":[{"value":2}]}'],
    ['200,000 levels', 400, 'PY1005', `{"data":[{"value":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}`],
    ['more than a batch may hold', 400, 'FF10327', `{"data":[{"value":"${'x'.repeat(820_000)}"}]}`],
    ['2 MB', 413, 'PY1004', `{"data":[{"value":"${'x'.repeat(2_000_000)}"}]}`],
  ];

  test.each(bodies)('%s → %i %s', async (_, status, code, body) => {
    const before = await network.node.database.count('messages', { namespace: 'default' });
    const { status: actual, text } = await answer(broadcast(body));
    expect(actual).toBe(status);
    expect(Object.keys(fields(text))).toEqual(['error']);
    expect(fields(text)['error']).toMatch(new RegExp(`^${code}: [^\\n]+$`));
    expect(await network.node.database.count('messages', { namespace: 'default' })).toBe(before);
  });

  test('bytes that are not UTF-8', async () => {
    const body = new Uint8Array([...new TextEncoder().encode('{"data":[{"value":"'), 0xff, 0x22, 0x7d, 0x5d, 0x7d]);
    const { status, text } = await answer(fetch(`${ns}/broadcast/message`, { method: 'POST', body, headers: json }));
    expect([status, text.slice(0, 18)]).toEqual([400, '{"error":"PY1005: ']);
  });

  test('another content type, or an encoded body', async () => {
    for (const headers of [{ 'content-type': 'text/plain' }, { ...json, 'content-encoding': 'gzip' }]) {
      expect(await answer(post('broadcast/message', '{}', headers))).toMatchObject({
        status: 415,
        text: expect.stringContaining('FF00162'),
      });
    }
  });

  test.each([
    ['POST', 'broadcast/message', '{"data":[{"value":1}]}'],
    ['POST', 'data', '{"value":1}'],
    ['DELETE', `data/${someId}`, undefined],
    ['POST', `data/${someId}/value/publish`, '{}'],
    ['POST', 'identities', '{"name":"desk"}'],
    ['PATCH', 'identities/did:parley:org%2Falice', '{"description":"us"}'],
  ])('a write into the system namespace: %s %s', async (method, path, body) => {
    const url = `${network.node.url}/api/v1/namespaces/${systemNamespace}/${path}`;
    const sent = fetch(url, body === undefined ? { method } : { method, body, headers: json });
    expect(await answer(sent)).toMatchObject({ status: 400, text: expect.stringContaining('FF10415') });
  });

  test('the node is alive after all requests', async () => {
    expect((await broadcast('{"data":[{"value":"alive"}]}')).status).toBe(202);
  });
});

describe('lists', () => {
  test('are newest first, with pages and counts', async () => {
    for (const n of [1, 2, 3]) {
      await broadcast(`{"header":{"topics":["pages"]},"data":[{"value":${n}}]}`);
    }
    await eventually(async () => expect((await answer(fetch(`${ns}/messages?pending=true`))).text).toBe('[]'));
    const page = fields((await answer(fetch(`${ns}/messages?count&limit=2&skip=1&pending=false&data=true`))).text);
    expect(page).toMatchObject({ count: 2, items: [{ data: [{ value: 2 }] }, { data: [{ value: 1 }] }] });
    expect(page['total']).toBeGreaterThan(3);
    expect((await answer(fetch(`${ns}/messages?limit=0`))).text).toBe('[]');
  });

  test.each([
    ['sort=craeted', 'FF00142'],
    ['limit=abc', 'FF00143'],
    ['limit=-1', 'FF00143'],
    ['limit=1001', 'FF00192'],
    ['skip=100001', 'FF00191'],
  ])('refuse %s with %s', async (query, code) => {
    expect(await answer(fetch(`${ns}/messages?${query}`))).toMatchObject({
      status: 400,
      text: expect.stringContaining(code),
    });
  });

  test('accept parameters in any case and with brackets', async () => {
    expect((await fetch(`${ns}/messages?LIMIT[]=1`)).status).toBe(200);
  });
});

describe('paths', () => {
  test('work without the namespace, with the SDK’s undefined, and with a trailing slash', async () => {
    for (const path of ['/api/v1/messages', '/api/v1/namespaces/undefined/messages', '/api/v1/messages/']) {
      expect((await fetch(`${network.node.url}${path}`)).status).toBe(200);
    }
  });

  test.each([
    ['GET', 'messages/3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11', 404, 'FF10109'],
    ['GET', 'messages/x', 400, 'FF00138'],
    ['GET', 'nothing', 404, 'FF10109'],
    ['DELETE', 'messages', 405, 'PY1003'],
    ['GET', '../nope/messages', 404, 'FF10436'],
    ['POST', 'network/action', 400, 'FF10414'],
    ['POST', '../nowhere/network/action', 404, 'FF10436'],
  ])('%s %s → %i %s', async (method, path, status, code) => {
    const response = await fetch(`${ns}/${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(code);
    if (status === 405) expect(response.headers.get('allow')).toContain('GET');
  });

  test('an unknown namespace is reported before the body is examined', async () => {
    const path = `${network.node.url}/api/v1/namespaces/nope/broadcast/message`;
    const sent = fetch(path, { method: 'POST', body: '{', headers: json });
    expect(await answer(sent)).toMatchObject({ status: 404, text: expect.stringContaining('FF10436') });
  });

  test('HEAD works like GET', async () => {
    expect((await fetch(`${ns}/messages`, { method: 'HEAD' })).status).toBe(200);
  });
});

test('an invalid Request-Timeout is refused', async () => {
  const sent = fetch(`${ns}/messages`, { headers: { 'Request-Timeout': 'soon' } });
  expect(await answer(sent)).toMatchObject({ status: 400, text: expect.stringContaining('FF00137') });
});

test('status names the party, its node and key, and waiting work', async () => {
  const status = fields((await answer(fetch(`${ns}/status`))).text);
  expect(status).toMatchObject({
    namespace: { name: 'default' },
    node: { name: 'alice-node', registered: true },
    org: { name: 'alice', registered: true, did: 'did:parley:org/alice' },
    parley: { blocked: 0, waiting: [], rules: { limits: recordedLimits, absent: [], guard: 'limits' } },
  });
});

test('status reports that a network of an earlier version has fewer limits', async () => {
  const older = await startTestNetwork(['alice'], { limits: networkLimits });
  onTestFinished(older.stop);
  const status = fields((await answer(fetch(`${older.node.url}/api/v1/namespaces/default/status`))).text);
  const rules = { limits: networkLimits, absent: firstRules.absent, guard: 'watch' };
  expect(status).toMatchObject({ parley: { rules } });
});

test('liveness, metrics and the description answer', async () => {
  const { url } = network.node;
  expect(fields((await answer(fetch(`${url}/livez`))).text)).toEqual({ ok: true, ready: true });
  expect((await answer(fetch(`${url}/metrics`))).text).toContain('ff_broadcast_submitted_total');
  expect(fields((await answer(fetch(`${url}/api/openapi.json`))).text)).toMatchObject({ openapi: '3.1.0' });
  const page = await fetch(`${url}/api`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('/api/v1/namespaces/{ns}/broadcast/message');
});

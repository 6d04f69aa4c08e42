import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assert } from '../../../../src/domain/invariant.js';
import type { OperationRow } from '../../../../src/ports/tables/tables.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { startTestNetwork, type TestNetwork } from '../../../support/node.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob', 'carol']);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a POST to a party's node; parties are numbered. */
async function post(path: string, body: unknown, { party = 0, headers = {} } = {}): Promise<Answer> {
  const response = await fetch(`${network.nodes[party]?.url ?? ''}/api/v1/namespaces/default/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: await response.json() };
}

/** The ids of the failed pins whose batches were cancelled. */
const cancelled = new Set<string>();

/** Resolves with a failed pin whose batch waits. */
async function failedPin(): Promise<OperationRow> {
  const find = async () => {
    const operations = await rowsOf(network.node.database, 'operations');
    return operations.find(
      (row) => row.type === 'blockchain_pin_batch' && row.status === 'Failed' && !cancelled.has(row.id),
    );
  };
  await expect.poll(find).toBeDefined();
  const pin = await find();
  assert(pin !== undefined, 'a failed pin stays');
  return pin;
}

async function cancelBatchOf({ id, namespace, batch }: OperationRow): Promise<void> {
  cancelled.add(id);
  const url = `${network.node.url}/api/v1/namespaces/${namespace}/batches/${batch}/cancel`;
  const response = await fetch(url, { method: 'POST' });
  expect(response.status).toBe(204);
}

async function cancelFailed(): Promise<OperationRow> {
  const pin = await failedPin();
  await cancelBatchOf(pin);
  return pin;
}

/** The answer to a request whose batch was cancelled after this pin had failed. */
function cancellationBy({ id }: OperationRow) {
  return { status: 409, body: { error: expect.stringMatching(`^PY1302: The operation ${id} `) as string } };
}

const group = { members: [{ identity: 'alice' }, { identity: 'bob' }] };
const schema = { type: 'object', required: ['order'], properties: { order: { type: 'integer' } } };

describe('confirm=true', () => {
  it('answers a broadcast with 200 and the message as it was decided', async () => {
    const { status, body } = await post('broadcast/message?confirm=true', { data: [{ value: 1 }] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'confirmed',
      confirmed: expect.any(String) as string,
      batch: expect.any(String) as string,
    });
  });

  it.each(['confirm', 'CONFIRM=true'])('may be written %s', async (flag) => {
    expect(await post(`messages/broadcast?${flag}`, { data: [{ value: 1 }] })).toMatchObject({
      status: 200,
      body: { state: 'confirmed' },
    });
  });

  it('is off with confirm=false, which the SDK writes', async () => {
    const answer = await post('messages/broadcast?confirm=false', { data: [{ value: 1 }] });
    expect(answer).toMatchObject({ status: 202, body: { state: 'ready' } });
  });

  it('answers a private message when it is decided, and an unpinned one at once', async () => {
    const pinned = await post('send/message?confirm=true', { group, data: [{ value: 1 }] });
    expect(pinned).toMatchObject({ status: 200, body: { state: 'confirmed', pins: [expect.any(String)] } });
    const unpinned = await post('messages/private?confirm', {
      header: { txtype: 'none' },
      group,
      data: [{ value: 1 }],
    });
    expect(unpinned).toMatchObject({ status: 200, body: { state: 'confirmed', header: { txtype: 'none' } } });
  });

  it('answers each of many concurrent requests with its own result', async () => {
    const answers = await Promise.all(
      [...Array(40).keys()].map((i) =>
        post('broadcast/message?confirm=true', { header: { tag: `t${i}` }, data: [{ value: i }] }, { party: i % 3 }),
      ),
    );
    expect(answers.map(({ body }) => body)).toMatchObject(
      answers.map((_, i) => ({ state: 'confirmed', header: { tag: `t${i}` } })),
    );
  });

  it('answers 409 with the reason when the batch is cancelled, also during a wait', async () => {
    for (const path of ['broadcast/message?confirm=true', 'messages/requestreply']) {
      network.ledger.revertCalls(1);
      const to = path.startsWith('broadcast') ? {} : { header: { tag: 'ask' }, group };
      const answer = post(path, { ...to, data: [{ value: 1 }] });
      const pin = await cancelFailed();
      expect(await answer).toMatchObject(cancellationBy(pin));
    }
  });

  it('answers 409 when the batch with the definition of a pool that is being created is cancelled', async () => {
    network.ledger.revertCalls(1);
    await post('broadcast/message', { data: [{ value: 1 }] });
    const before = await failedPin();
    // Behind this batch the definition waits until the pool is created, so that its pin fails and not the creation.
    const answer = post('tokens/pools?confirm=true', { name: 'withdrawn', type: 'fungible' });
    const definition = async () =>
      (await rowsOf(network.node.database, 'messages')).find(({ tag }) => tag === 'svc_define_pool');
    await expect.poll(definition).toBeDefined();
    network.ledger.revertCalls(1);
    await cancelBatchOf(before);
    const pin = await cancelFailed();
    expect(await answer).toMatchObject(cancellationBy(pin));
  });

  it('answers a datatype with its message or its record, and a second one with 409 and the reason', async () => {
    const order = { name: 'order', version: '1.0', value: schema };
    const first = await post('broadcast/datatype?confirm=true', order);
    expect(first).toMatchObject({ status: 200, body: { state: 'confirmed', header: { type: 'definition' } } });
    const second = await post('datatypes?confirm=true', { ...order, version: '1.1' }, { party: 1 });
    expect(second).toMatchObject({
      status: 200,
      body: { name: 'order', version: '1.1', created: expect.any(String) as string },
    });
    const third = await post('datatypes?confirm=true', order, { party: 2 });
    expect(third).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^FF10413: .*FF10407/) as string },
    });
  });

  it('ends with 408 if there is no result in time, and the message continues', async () => {
    network.ledger.stop();
    const answer = await post(
      'broadcast/message?confirm=true',
      { header: { tag: 'late' }, data: [{ value: 1 }] },
      { headers: { 'request-timeout': '300ms' } },
    );
    network.ledger.start();
    expect(answer).toMatchObject({ status: 408, body: { error: expect.stringMatching(/^FF10260/) as string } });
    const isDecided = async () => {
      const rows = await rowsOf(network.node.database, 'messages');
      return rows.filter(({ tag, state }) => tag === 'late' && state === 'confirmed').length;
    };
    await expect.poll(isDecided).toBe(1);
  });

  it('leaves nothing behind when the client disconnects', async () => {
    const abort = new AbortController();
    const gone = fetch(`${network.node.url}/api/v1/messages/requestreply`, {
      method: 'POST',
      body: JSON.stringify({ header: { tag: 'gone' }, group, data: [] }),
      headers: { 'content-type': 'application/json' },
      signal: abort.signal,
    });
    await expect
      .poll(async () => (await rowsOf(network.node.database, 'messages')).filter(({ tag }) => tag === 'gone').length)
      .toBe(1);
    abort.abort();
    await expect(gone).rejects.toThrow();
    expect(await post('broadcast/message?confirm=true', { data: [{ value: 1 }] })).toMatchObject({ status: 200 });
  });
});

describe('request and reply', () => {
  const ask = (tag: string, options = {}) =>
    post('messages/requestreply', { header: { tag }, group, data: [{ value: 'ping' }] }, options);

  /** Replies as bob to the request with a tag as soon as it arrives. */
  async function answer(tag: string): Promise<void> {
    const found = async () =>
      (await rowsOf(network.nodes[1]!.database, 'messages')).find(
        (row) => row.tag === tag && row.state === 'confirmed',
      );
    await expect.poll(found).toBeDefined();
    const request = await found();
    await post(
      'send/message',
      { header: { cid: request?.id, tag: 'other' }, group, data: [{ value: 'pong' }] },
      { party: 1 },
    );
  }

  it('answers with the message whose cid is the request, data in full', async () => {
    const [reply] = await Promise.all([ask('ask'), answer('ask')]);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        state: 'confirmed',
        header: { author: 'did:parley:org/bob' },
        data: [{ value: 'pong', validator: 'json' }],
      },
    });
  });

  it('ends with 408 if there is no reply', async () => {
    const late = await ask('nobody', { headers: { 'request-timeout': '300ms' } });
    expect(late).toMatchObject({ status: 408, body: { error: expect.stringMatching(/^FF10260/) as string } });
  });

  it.each([
    ['a tag', { group, data: [] }, 'FF10261'],
    ['a group', { header: { tag: 'x' }, data: [] }, 'FF10271'],
    ['no cid', { header: { tag: 'x', cid: '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01' }, group }, 'FF10262'],
  ])('needs %s', async (_, body, code) => {
    expect(await post('request/message', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(`^${code}`) as string },
    });
  });
});

describe('datatypes over HTTP', () => {
  it('are refused at once with the reason', async () => {
    const codes = await Promise.all(
      [
        { name: '-', version: '1', value: {} },
        { name: '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01', version: '1', value: {} },
        { name: 'svc_mine', version: '1', value: {} },
        { name: 'a', version: '1', value: true },
        { name: 'a', version: '1', value: { $ref: 'http://127.0.0.1:1/x' } },
        { name: 'a', version: '1', value: {}, validator: 'xml' },
        { name: 'a', version: '1' },
      ].map((body) => post('datatypes', body)),
    );
    expect(codes.map(({ body }) => JSON.stringify(body).slice(10, 17))).toEqual([
      'FF00140',
      'FF00141',
      'PY1105:',
      'FF10196',
      'FF10196',
      'PY1011:',
      'FF00112',
    ]);
  });

  it('validate values, and name the place of an error', async () => {
    await post('datatypes?confirm=true', { name: 'held', version: '1', value: schema });
    expect(await post('datatypes/held/1/validate', { value: { order: 1 } })).toEqual({
      status: 200,
      body: { valid: true, errors: [] },
    });
    expect(await post('datatypes/held/1/validate', { value: { order: 'x' } })).toEqual({
      status: 200,
      body: { valid: false, errors: [{ path: '/order', message: 'must be integer' }] },
    });
    expect(await post('datatypes/held/2/validate', { value: 1 })).toMatchObject({ status: 404 });
    expect(await post('datatypes/held/1/validate', {})).toMatchObject({ status: 400 });
  });

  it('validate uploaded values', async () => {
    await post('datatypes?confirm=true', { name: 'uploaded', version: '1', value: schema });
    const datatype = { name: 'uploaded', version: '1' };
    expect(await post('data', { value: { order: 1 }, datatype })).toMatchObject({ status: 200, body: { datatype } });
    const refused = await post('data', { value: { order: 'x' }, datatype });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^FF10198: .*\/order/) as string },
    });
    const unknown = await post('data', { value: 1, datatype: { name: 'uploaded', version: '2' } });
    expect(unknown).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^FF10195/) as string } });
  });
});

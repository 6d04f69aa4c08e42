import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { rowsOf } from '../../support/pipelines-check.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: string, path: string, body?: unknown, party = 0): Promise<Answer> {
  const response = await fetch(`${network.nodes[party]?.url ?? ''}/api/v1/namespaces/default/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', 'x-parley-strict': 'true' },
  });
  return { status: response.status, body: await response.json() };
}

const refused = (status: number, code: string) => {
  return { status, body: { error: expect.stringMatching(`^${code}`) as string } };
};

describe('a custom identity', () => {
  it('is registered on chain with a key that the node creates, and can send from then on', async () => {
    const desk = { name: 'alice-desk', description: 'The desk', profile: { floor: 3 } };
    const { status, body } = await ask('POST', 'identities?confirm=true', desk);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        did: 'did:parley:alice-desk',
        type: 'custom',
        ...desk,
        messages: { update: expect.any(String) as string },
      },
    });
    for (const party of [0, 1]) {
      const shown = async () =>
        (await ask('GET', 'identities/did:parley:alice-desk?fetchverifiers=true', undefined, party)).body;
      await expect.poll(shown).toMatchObject({ ...desk, verifiers: [{ type: 'ethereum_address' }] });
    }
    const message = { header: { author: 'alice-desk' }, data: [{ value: 1 }] };
    expect(await ask('POST', 'broadcast/message?confirm=true', message)).toMatchObject({
      status: 200,
      body: { state: 'confirmed', header: { author: 'did:parley:alice-desk' } },
    });
  });

  it('defines a datatype when named or by its key, and no other identity can do so as it', async () => {
    const { body } = await ask('POST', 'identities?confirm=true', { name: 'alice-schemas' });
    const { verifiers } = (await ask('GET', `identities/${(body as { id: string }).id}?fetchverifiers=true`)).body as {
      verifiers: [{ value: string }];
    };
    const did = 'did:parley:alice-schemas';
    const [{ value: key }] = verifiers;
    const named = { name: 'order', version: '1', value: {}, author: 'alice-schemas' };
    expect(await ask('POST', 'broadcast/datatype?confirm=true', named)).toMatchObject({
      status: 200,
      body: { state: 'confirmed', header: { author: did, key } },
    });
    expect(await ask('POST', 'datatypes?confirm=true', { name: 'order', version: '2', value: {}, key })).toMatchObject({
      status: 200,
      body: { name: 'order', version: '2' },
    });
    const { body: second } = await ask('GET', 'datatypes/order/2');
    const defining = await ask('GET', `messages/${(second as { message: string }).message}`);
    expect(defining.body).toMatchObject({ header: { author: did, key } });
    const others = { name: 'order', version: '3', value: {} };
    for (const author of ['bob', 'nobody']) {
      expect(await ask('POST', 'broadcast/datatype', { ...others, author })).toMatchObject(refused(400, 'FF10206'));
    }
    expect(await ask('POST', 'broadcast/datatype', { ...others, key }, 1)).toMatchObject(refused(400, 'FF10206'));
  });

  it('is answered with 202 while it is being registered, and has an operation and a transaction', async () => {
    const answer = await ask('POST', 'identities', { name: 'later', idempotencyKey: 'once' });
    expect(answer).toMatchObject({
      status: 202,
      body: { did: 'did:parley:later', parent: expect.any(String) as string },
    });
    const operations = await rowsOf(network.node.database, 'operations');
    const operation = operations.find(({ input }) => input['name'] === 'later');
    expect(operation?.type).toBe('blockchain_register_identity');
    const transactions = await rowsOf(network.node.database, 'transactions');
    expect(transactions.find(({ id }) => id === operation?.tx)).toMatchObject({
      type: 'identity',
      idempotencyKey: 'once',
    });
    expect(await ask('POST', 'identities', { name: 'another', idempotencyKey: 'once' })).toMatchObject(
      refused(409, 'FF10431'),
    );
  });

  it('is confirmed before its description arrives, which is an update', async () => {
    const { body } = await ask('POST', 'identities?confirm=true', { name: 'described', description: 'a desk' });
    const events = (await rowsOf(network.node.database, 'events')).filter(
      ({ reference }) => reference === Object(body).id,
    );
    const types = events.filter(({ namespace }) => namespace === 'default').map(({ type }) => type);
    expect(types).toEqual(['identity_confirmed', 'identity_updated']);
  });

  it('accepts a key of the node, once', async () => {
    const { spareKey: key } = network.node;
    expect(await ask('POST', 'identities?confirm=true', { name: 'spare', key })).toMatchObject({ status: 200 });
    expect(await ask('POST', 'identities', { name: 'spare-too', key })).toMatchObject(refused(409, 'FF10193'));
  });

  it.each([
    [{ name: 'x', type: 'org' }, 409, 'PY1501'],
    [{ name: 'x', type: 'node' }, 409, 'PY1501'],
    [{ name: 'x', type: 'robot' }, 400, 'PY1011'],
    [{ name: 'x', parent: 'bob' }, 400, 'PY1502'],
    [{ name: 'x', key: `0x${'9'.repeat(40)}` }, 400, 'PY1502'],
    [{ name: 'x', profile: 5 }, 400, 'PY1011'],
    [{ name: 'x', idempotencyKey: 'k'.repeat(257) }, 400, 'FF00135'],
    [{ name: 'svc_x' }, 400, 'PY1105'],
    [{ name: '-' }, 400, 'FF00140'],
    [{ name: 'spare' }, 409, 'FF10193'],
  ])('is refused as %j', async (body, status, code) => {
    expect(await ask('POST', 'identities', body)).toMatchObject(refused(status, code));
  });

  it('whose name another member has taken meanwhile fails with the reason of the chain', async () => {
    network.ledger.stop();
    const mine = ask('POST', 'identities?confirm=true', { name: 'wanted' });
    await expect
      .poll(
        async () =>
          (await rowsOf(network.node.database, 'operations')).filter(({ input }) => input['name'] === 'wanted').length,
      )
      .toBe(1);
    network.ledger.start();
    network.ledger.addKey({ organization: 'bob', name: 'wanted', key: network.nodes[1]?.spareKey ?? '' });
    expect(await mine).toMatchObject(refused(409, 'PY1302'));
  });
});

describe('the profile of an identity', () => {
  it('replaces given members and keeps the others, at every party', async () => {
    expect(
      await ask('PATCH', 'identities/did:parley:org%2Falice?confirm=true', {
        description: 'Alice & Co',
        profile: { a: 1 },
      }),
    ).toMatchObject({ status: 200 });
    const second = await ask('PATCH', 'identities/did:parley:org/alice?confirm=true', { profile: { b: 2 } });
    expect(second).toMatchObject({ status: 200, body: { description: 'Alice & Co', profile: { b: 2 } } });
    const shown = async () => (await ask('GET', 'network/organizations/alice', undefined, 1)).body;
    await expect.poll(shown).toMatchObject({ description: 'Alice & Co', profile: { b: 2 } });
    const events = await rowsOf(network.nodes[1]!.database, 'events');
    expect(events.filter(({ type }) => type === 'identity_updated').map(({ namespace }) => namespace)).toContain(
      'default',
    );
  });

  it.each([
    ['of another member', 'did:parley:org%2Fbob', { description: 'x' }, 400, 'PY1502'],
    ['of nobody', 'did:parley:nobody', { description: 'x' }, 404, 'FF10109'],
    ['with nothing in it', 'did:parley:org%2Falice', {}, 400, 'FF00112'],
    ['with a profile that is no object', 'did:parley:org%2Falice', { profile: [] }, 400, 'PY1011'],
  ])('is refused %s', async (_, did, body, status, code) => {
    expect(await ask('PATCH', `identities/${did}`, body)).toMatchObject(refused(status, code));
  });
});

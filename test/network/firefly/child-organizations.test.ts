import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { type StockAnswer, stockClient } from '../../support/stock-client.js';

/** Organisations below members, as stock clients register, address and read them. */

let network: TestNetwork;
const noAnswer: Pick<StockAnswer, 'body'> = { body: {} };
const clients = () => network.nodes.map(({ url }) => stockClient(url));
beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob', 'carol']);
});
afterAll(async () => {
  expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

test('a child organisation is registered by its parent, and exists at every party', async () => {
  const [alice, bob] = clients();
  const parent = Object((await alice?.get('status'))?.body['org']);
  const claim = { name: 'daughter', type: 'org', parent: parent.id, key: network.node.spareKey, description: 'ours' };
  expect(await alice?.post('identities', claim)).toMatchObject({
    status: 202,
    body: { did: 'did:parley:org/daughter', type: 'org', parent: parent.id },
  });
  for (const party of [alice, bob]) {
    const [found] = (await party?.list('network/organizations?name=daughter&fetchverifiers=true', 1)) ?? [];
    expect(found).toMatchObject({
      did: 'did:parley:org/daughter',
      type: 'org',
      parent: parent.id,
      verifiers: [{ type: 'ethereum_address', value: network.node.spareKey }],
    });
    expect(await party?.list('identities?name=daughter&description=ours', 1)).toHaveLength(1);
    expect((await party?.get('network/organizations/daughter'))?.body).toMatchObject({ id: found?.['id'] });
  }
});

test('network/organizations registers only an organisation that names its parent', async () => {
  const [, bob] = clients();
  const answer = await bob?.post('network/organizations?confirm=true', { name: 'bobs-daughter', parent: 'bob' });
  expect(answer).toMatchObject({ status: 200, body: { did: 'did:parley:org/bobs-daughter', type: 'org' } });
  for (const [body, status, code] of [
    [{ name: 'another' }, 409, /^PY1501: .*"parent": "bob"/],
    [{ name: 'another', parent: 'alice' }, 400, /^PY1502: .* must be bob,/],
    [{ name: 'another', parent: 'bobs-daughter' }, 400, /^PY1502: .* must be bob,/],
  ] as const) {
    expect(await bob?.post('network/organizations', body)).toMatchObject({
      status,
      body: { error: expect.stringMatching(code) as string },
    });
  }
});

test('a child organisation sends with its own key, and its messages arrive at the node of its parent', async () => {
  const [alice, bob, carol] = clients();
  const { body: sent } =
    (await alice?.post('messages/broadcast?confirm=true', {
      header: { author: 'did:parley:org/daughter' },
      data: [{ value: 1 }],
    })) ?? noAnswer;
  const author = { author: 'did:parley:org/daughter', key: network.node.spareKey };
  expect(sent).toMatchObject({ state: 'confirmed', header: author });
  const id = String(Object(sent['header']).id);
  expect(await bob?.list(`messages?id=${id}`, 1)).toMatchObject([{ header: author }]);
  expect((await bob?.post('messages/broadcast', { header: author, data: [{ value: 1 }] }))?.status).toBe(400);

  const group = { members: [{ identity: 'daughter' }] };
  const { body } = (await bob?.post('messages/private?confirm=true', { group, data: [{ value: 2 }] })) ?? noAnswer;
  const privately = String(Object(body['header']).id);
  expect(await alice?.list(`messages?id=${privately}`, 1)).toMatchObject([{ state: 'confirmed' }]);
  expect(await carol?.list(`messages?id=${privately}`)).toEqual([]);
  const { hash } = Object((await alice?.list('groups', 1))?.[0]);
  expect((await alice?.get(`groups/${hash}`))?.body).toMatchObject({
    members: expect.arrayContaining([expect.objectContaining({ identity: 'did:parley:org/daughter' })]) as unknown[],
  });
});

test('a name that an organisation has is not available to another, of any kind', async () => {
  const [alice, bob] = clients();
  for (const [party, body] of [
    [bob, { name: 'daughter' }],
    [bob, { name: 'daughter', type: 'org', parent: 'bob' }],
    [alice, { name: 'bob', type: 'org', parent: 'alice' }],
  ] as const) {
    expect(await party?.post('identities?confirm=true', body)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^FF10413: /) as string },
    });
  }
});

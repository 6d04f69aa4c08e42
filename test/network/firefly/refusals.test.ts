import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../../src/wire/json/json.js';
import { eventually } from '../../support/eventually.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { escrow } from '../../support/escrow.js';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Refusals must have the form that stock clients expect. */

describe('a call that the contract refuses', () => {
  let network: TokenNetwork;
  let alice: ReturnType<typeof stockClient>;
  let address: string;
  const call = { method: {}, input: { number: '7' } };
  beforeAll(async () => {
    network = await startTokenNetwork({ connectors: 1 });
    alice = stockClient(network.alice.url);
    const { abi, bytecode } = escrow();
    const creation = { definition: abi, contract: bytecode, input: [network.carol.key, '0'] };
    const deployed = await alice.post('contracts/deploy?confirm=true', creation);
    address = String(Object(Object(deployed.body['output']).contractLocation).address);
    const generated = await alice.post('contracts/interfaces/generate', { name: 'e', version: '1', input: { abi } });
    const methods: unknown = generated.body['methods'];
    const release = Array.isArray(methods) ? methods.find((each) => Object(each).name === 'release') : undefined;
    Object.assign(call, { location: { address }, method: release, errors: generated.body['errors'] });
  }, 60_000);
  afterAll(async () => {
    expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
    await network.stop();
  });

  test('is answered at once with the reason, and the failed operation exists', async () => {
    const { status, body } = await alice.post('contracts/invoke', call);
    expect({ status, body }).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/^FF10111: .*DealUnknown\(7\)/) },
    });
    const [id = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(String(body['error'])) ?? [];
    expect((await alice.get(`operations/${id}`)).body).toMatchObject({
      type: 'blockchain_invoke',
      status: 'Failed',
      error: expect.stringContaining('DealUnknown(7)'),
    });
    expect(await alice.list(`events?reference=${id}`)).toMatchObject([{ type: 'blockchain_invoke_op_failed' }]);
  });

  test('is 400 with the reason if it is a query', async () => {
    expect(await alice.post('contracts/query', call)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^FF10111: .*DealUnknown\(7\)/) },
    });
  });

  test('cancels its message, and keeps its idempotency key', async () => {
    const message = { header: { topics: ['refused'] }, data: [{ value: 1 }] };
    const request = { ...call, message, idempotencyKey: 'refused-once' };
    expect((await alice.post('contracts/invoke', request)).status).toBe(500);
    expect(await alice.list('messages?topics=refused')).toMatchObject([{ state: 'cancelled' }]);
    expect(await alice.post('contracts/invoke', request)).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^FF1043[01]: /) },
    });
  });

  test('is answered in the same way by an API, and for a deployment', async () => {
    const ffi = { name: 'refused', version: '1', methods: [call.method], errors: Object(call).errors };
    const { body: its } = await alice.post('contracts/interfaces?confirm=true', ffi);
    await alice.post('apis?confirm=true', { name: 'refused', interface: { id: its['id'] }, location: { address } });
    expect(await alice.post('apis/refused/invoke/release', { input: { number: 9 } })).toMatchObject({
      status: 500,
      body: { error: expect.stringContaining('DealUnknown(9)') },
    });
    // Creation code that reverts.
    expect(await alice.post('contracts/deploy', { definition: [], contract: '0x60006000fd', input: [] })).toMatchObject(
      {
        status: 500,
        body: { error: expect.stringMatching(/^FF10111: /) },
      },
    );
  });

  test("is accepted from this project's client, which follows the operation", async () => {
    const { client } = network.alice;
    const path = { name: 'refused', method: 'release' };
    const incomplete = client.invokeContractApi({ path, body: {} });
    await expect(incomplete).rejects.toMatchObject({ status: 400, code: 'FF10304' });
    const { value: operation } = await client.invokeContractApi({ path, body: { input: textOf({ number: 9 }) } });
    await eventually(async () => {
      const { value: ended } = await client.getOperation({ path: { operationid: operation.id } });
      expect(ended).toMatchObject({ status: 'Failed', error: expect.stringContaining('DealUnknown(9)') });
    });
  });
});

describe('a claim of a key', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await startTestNetwork(['alice', 'bob']);
  });
  afterAll(async () => {
    expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
    await network.stop();
  });

  test('names its message in the 202, by which the identity is found at every party', async () => {
    const [alice, bob] = network.nodes.map(({ url }) => stockClient(url));
    const { status, body } = (await alice?.post('identities', { name: 'desk', description: 'a desk' })) ?? { body: {} };
    expect(status).toBe(202);
    const id: unknown = Object(body).id;
    const { claim } = Object(Object(body).messages);
    for (const party of [alice, bob]) {
      const found = await party?.list(`identities?messages.claim=${claim}`, 1);
      expect(found).toMatchObject([{ id, description: 'a desk', messages: { claim, update: claim } }]);
    }
    await alice?.ask('PATCH', `identities/${String(id)}?confirm=true`, { description: 'another' });
    const changed = await alice?.get(`identities/${String(id)}`);
    expect(changed?.body).toMatchObject({ description: 'another', messages: { claim } });
    expect(Object(changed?.body['messages']).update).not.toBe(claim);
  });

  test('for the second time is rejected at every party; a strict caller is refused at once', async () => {
    const [alice, bob] = network.nodes.map(({ url }) => stockClient(url));
    const key = network.node.spareKey;
    const claim = (name: string) => ({ name, type: 'custom', key, description: 'd', profile: { n: 1 } });
    expect((await alice?.post('identities?confirm=true', claim('first')))?.status).toBe(200);
    for (const name of ['second', 'first']) {
      const answer = await alice?.post('identities', claim(name));
      expect(answer).toMatchObject({ status: 202, body: { name, messages: { claim: expect.any(String) } } });
      const { claim: id } = Object(answer?.body['messages']);
      for (const party of [alice, bob]) {
        const path = `events?reference=${id}&fetchreferences`;
        expect(await party?.list(path, 1)).toMatchObject([
          {
            type: 'message_rejected',
            message: { header: { type: 'definition' }, rejectReason: expect.stringMatching(/^FF10407: /) },
          },
        ]);
      }
    }
    expect(await alice?.list('identities?type=custom&name=!desk')).toMatchObject([{ name: 'first', description: 'd' }]);
    for (const taken of [claim('third'), { name: 'first' }, { name: 'third', key }]) {
      expect(await alice?.post('identities?confirm=true', taken)).toMatchObject({
        status: 409,
        body: { error: expect.stringMatching(/^FF10413: .* FF10407: /) },
      });
    }
    const strict = await fetch(`${network.node.url}/api/v1/identities`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-parley-strict': 'true' },
      body: JSON.stringify(claim('fourth')),
    });
    expect([strict.status, await strict.json()]).toEqual([409, { error: expect.stringMatching(/^FF10193: /) }]);
  });
});

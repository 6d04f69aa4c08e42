import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { locationOf } from '../../../src/domain/contracts/location.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import type { JsonText } from '../../../src/wire/scalar.js';
import type { Operation } from '../../../src/wire/chain/transaction.js';
import { escrow } from '../../support/escrow.js';
import { fickle } from '../../support/fickle.js';
import { startTokenNetwork, type TokenNetwork, type TokenParty } from '../../support/token-network.js';

const confirm = { query: { confirm: true } } as const;
const huge = '9007199254740993';
const terms = [
  { text: 'pay first', weights: [1, '2'] },
  { weights: ['0x03', 4], text: '' },
];

let network: TokenNetwork;
let address = '';
beforeAll(async () => {
  network = await startTokenNetwork();
  address = await deploy(network.alice, network.carol.key);
  await shareApi(network.alice);
}, 60_000);
afterAll(() => network.stop());

/** Deploys the contract, with a minimum payment that no float can represent; returns its location. */
async function deploy({ client }: TokenParty, keeper: string): Promise<string> {
  const { abi, bytecode } = escrow();
  const body = { definition: textOf(abi), contract: bytecode, input: textOf([keeper, huge]) };
  const { value } = await client.deployContract({ body, ...confirm });
  const { contractLocation } = outputOf(value);
  return String(Object(contractLocation).address);
}

/** Shares an interface generated from the ABI and an API for it. */
async function shareApi({ client }: TokenParty): Promise<void> {
  const query = { confirm: true, publish: true } as const;
  const request = { name: 'escrow', version: '1.0', input: { abi: textOf(escrow().abi) } };
  const { value: generated } = await client.generateContractInterface({ body: request });
  const { value: its } = await client.createContractInterface({ body: generated, query });
  const body = { name: 'escrow', interface: { id: its.id ?? '' }, location: locationOf(address) };
  await client.createContractApi({ body, query });
}

function outputOf({ output }: Operation): Record<string, unknown> {
  return Object(valueOf(output ?? textOf({})));
}

/** Opens a deal with bob by the API; returns its number. */
async function openDeal({ client }: TokenParty, value = huge): Promise<number> {
  const body = { input: textOf({ seller: network.bob.key, terms }), options: textOf({ value }) };
  await client.invokeContractApi({ path: { name: 'escrow', method: 'open' }, body, ...confirm });
  for (let number = 1; ; number++) if (!(await isThere(client, number + 1))) return number;
}

async function isThere(client: TokenParty['client'], number: number): Promise<boolean> {
  const body = textOf({ input: { number } });
  return (await client.exchange({ method: 'POST', path: 'apis/escrow/query/find', body })).status === 200;
}

describe('a contract of a user', () => {
  it('is deployed with arguments that no float can represent, and the operation has its location', async () => {
    const { alice, bob } = network;
    expect(address).toMatch(/^0x[0-9a-f]{40}$/);
    const method = { name: 'least', params: [], returns: [wholeNumber()] };
    const { value } = await bob.client.queryContract({ body: { location: locationOf(address), method } });
    expect(value).toBe(`{"output":"${huge}"}`);
    const { value: events } = await alice.client.listEvents({
      query: { type: 'blockchain_contract_deploy_op_succeeded' },
    });
    expect(events).toHaveLength(1);
  });

  it('is invoked by its API, and returns its results by name', async () => {
    const { alice, carol } = network;
    const number = await openDeal(alice);
    const { value } = await carol.client.queryContractApi({
      path: { name: 'escrow', method: 'find' },
      body: { input: textOf({ number: String(number) }) },
    });
    expect(valueOf(value)).toEqual({
      deal: {
        number: String(number),
        buyer: alice.key,
        seller: network.bob.key,
        amount: huge,
        terms: [
          { text: 'pay first', weights: ['1', '2'] },
          { text: '', weights: ['3', '4'] },
        ],
      },
      output1: String(number),
    });
  });

  it('is not queried at a block that does not exist, which is an error', async () => {
    const { client } = network.alice;
    const path = 'apis/escrow/query/least';
    const now = await client.exchange({ method: 'POST', path, body: textOf({}) });
    expect([now.status, now.text]).toEqual([200, `{"output":"${huge}"}`]);
    const body = textOf({ options: { blockNumber: 99_999 } });
    const { status, text } = await client.exchange({ method: 'POST', path, body });
    expect([status, text]).toEqual([400, expect.stringMatching(/FF10311: .*blockNumber.* 99999 .*head .* \d+/)]);
  });

  it('is queried as any account, since nothing is signed', async () => {
    const number = await openDeal(network.alice);
    const body = textOf({ input: { number: String(number) }, key: network.alice.key });
    const path = 'apis/escrow/query/release';
    expect(await network.carol.client.exchange({ method: 'POST', path, body })).toMatchObject({ status: 200 });
  });

  it('is invoked by its API only at the location of the API; another location is refused', async () => {
    const { carol } = network;
    const call = async (path: string, more: object, at: string) => {
      const body = textOf({ ...more, location: { address: at } });
      const { status, text } = await carol.client.exchange({ method: 'POST', path: `apis/escrow/${path}`, body });
      return [status, /FF\d+/.exec(text)?.[0]];
    };
    const other = `0x${'06'.repeat(20)}`;
    const input = { input: { seller: network.bob.key, terms } };
    expect(await call('query/find', { input: { number: '1' } }, other)).toEqual([400, 'FF10310']);
    expect(await call('invoke/open', input, other)).toEqual([400, 'FF10310']);
    expect(await call('listeners/Opened', { name: 'elsewhere', topic: 'deals' }, other)).toEqual([400, 'FF10310']);
    const upper = `0x${address.slice(2).toUpperCase()}`;
    expect(await call('listeners/Opened', { name: 'opened-here', topic: 'deals' }, upper)).toEqual([200, undefined]);
  });

  it('is called by its interface, at the location of the request', async () => {
    const { alice, carol } = network;
    const number = await openDeal(alice);
    const { value: api } = await alice.client.getContractApi({ path: { api: 'escrow' } });
    const pathTo = (method: string) => ({ interfaceid: api.interface.id ?? '', method });
    const body = { location: locationOf(address), input: textOf({ number: String(number) }) };
    const { value } = await carol.client.queryContractInterface({ path: pathTo('find'), body });
    expect(valueOf(value)).toMatchObject({ deal: { number: String(number) }, output1: String(number) });
    const { value: ended } = await alice.client.invokeContractInterface({ path: pathTo('release'), body, ...confirm });
    expect(ended).toMatchObject({ type: 'blockchain_invoke', status: 'Succeeded' });
    const lost = carol.client.queryContractInterface({ path: pathTo('find'), body: { input: body.input } });
    await expect(lost).rejects.toMatchObject({ status: 400, code: 'FF10310' });
  });

  it('records the call in the operation, with whole numbers as text', async () => {
    const { alice } = network;
    const number = await openDeal(alice);
    const path = { name: 'escrow', method: 'release' };
    const body = { input: textOf({ number }), idempotencyKey: `release-${number}` };
    const { value: operation } = await alice.client.invokeContractApi({ path, body, ...confirm });
    expect(operation).toMatchObject({ type: 'blockchain_invoke', status: 'Succeeded', plugin: 'ethereum' });
    expect(valueOf(operation.input ?? textOf(null))).toMatchObject({
      key: alice.key,
      location: { address },
      method: { name: 'release' },
      input: { number: String(number) },
    });
    expect(outputOf(operation)).toMatchObject({ transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
    const again = await alice.client.exchange({
      method: 'POST',
      path: `apis/escrow/invoke/release`,
      body: textOf({ ...body, input: { number } }),
    });
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('FF10431')]);
  });

  it('refuses with its own error, which a query and an invocation both report', async () => {
    const { bob } = network;
    const number = await openDeal(network.alice);
    const query = await bob.client.exchange({
      method: 'POST',
      path: 'apis/escrow/query/release',
      body: textOf({ input: { number } }),
    });
    expect([query.status, query.text]).toEqual([
      400,
      expect.stringContaining(`FF10111: The contract has refused the query: NotBuyer(${bob.key}, ${number})`),
    ]);
    const call = await bob.client.exchange({
      method: 'POST',
      path: 'apis/escrow/invoke/release?confirm',
      body: textOf({ input: { number } }),
    });
    expect([call.status, call.text]).toEqual([409, expect.stringContaining(`NotBuyer(${bob.key}, ${number})`)]);
  });
});

describe('a message with a call', () => {
  const message = { group: { members: [{ identity: 'bob' }] }, data: [{ value: textOf('for bob alone') }] };

  it('is staged, belongs to the call, and is sent after its success, only to its group', async () => {
    const { alice, bob, carol } = network;
    const number = await openDeal(alice);
    const { value: operation } = await alice.client.invokeContractApi({
      path: { name: 'escrow', method: 'release' },
      body: { input: textOf({ number }), message: { ...message, header: { topics: [`deal-${number}`] } } },
      ...confirm,
    });
    const query = { topics: `deal-${number}` };
    const { value: sent } = await alice.client.listMessages({ query });
    expect(sent).toMatchObject([
      { state: 'confirmed', header: { type: 'private', txparent: { type: 'contract_invoke', id: operation.tx } } },
    ]);
    await eventually(async () => {
      const { value: received } = await bob.client.listMessages({ query });
      expect(received).toMatchObject([{ header: sent[0]?.header, hash: sent[0]?.hash, state: 'confirmed' }]);
    });
    expect((await carol.client.listMessages({ query })).value).toEqual([]);
  });

  it('is cancelled when the call fails, and later messages on its topic are decided', async () => {
    const { alice, bob } = network;
    const header = { topics: ['nothing-opened'] };
    const { value: operation } = await alice.client.invokeContractApi({
      path: { name: 'escrow', method: 'release' },
      body: { input: textOf({ number: huge }), message: { ...message, header } },
    });
    const query = { topics: 'nothing-opened' };
    await eventually(async () => {
      expect((await alice.client.listMessages({ query })).value).toMatchObject([{ state: 'cancelled' }]);
    });
    const events = await alice.client.listEvents({ query: { reference: operation.id } });
    expect(events.value.map(({ type }) => type)).toEqual(['blockchain_invoke_op_failed']);
    await alice.client.sendMessage({ body: { ...message, header }, ...confirm });
    await eventually(async () => {
      expect((await bob.client.listMessages({ query })).value).toHaveLength(1);
    });
  });

  it('is cancelled when the chain reverts a call whose estimate succeeded, and its topic is free', async () => {
    const { alice, bob } = network;
    const { abi, bytecode } = fickle();
    const { value: deployed } = await alice.client.deployContract({
      body: { definition: textOf(abi), contract: bytecode },
      ...confirm,
    });
    const at = String(Object(outputOf(deployed)['contractLocation']).address);
    const { value: its } = await alice.client.generateContractInterface({ body: { input: { abi: textOf(abi) } } });
    const [method] = its.methods ?? [];
    const header = { topics: ['fickle'] };
    const { value: operation } = await alice.client.invokeContract({
      body: {
        location: locationOf(at),
        ...(method && { method }),
        errors: its.errors ?? [],

        message: { ...message, header },
      },
    });
    const query = { topics: 'fickle' };
    const isCancelled = async () => {
      expect((await alice.client.listMessages({ query })).value).toMatchObject([{ state: 'cancelled' }]);
    };
    await eventually(isCancelled);
    const { value: ended } = await alice.client.getOperation({ path: { operationid: operation.id } });
    expect(ended).toMatchObject({ status: 'Failed', error: expect.stringMatching(/Hungry\(1000000\)/) });
    // It was mined: a call that the node refuses never gets into a block.
    expect(ended.error).not.toContain('The contract refuses the call');
    await alice.client.sendMessage({ body: { ...message, header }, ...confirm });
    await eventually(async () => {
      expect((await bob.client.listMessages({ query })).value).toHaveLength(1);
    });
  });

  it('is pinned like any other: there is no separate transaction type', async () => {
    const { text, status } = await network.alice.client.exchange({
      method: 'POST',
      path: 'apis/escrow/invoke/release',
      body: textOf({
        input: { number: 1 },
        message: { header: { txtype: 'contract_invoke_pin' }, data: [{ value: 1 }] },
      }),
    });
    expect([status, text]).toEqual([400, expect.stringContaining('FF00130')]);
  });
});

describe('what is shared', () => {
  it('has the same id at every party, and its page lists the methods', async () => {
    const { alice, bob } = network;
    const path = { api: 'escrow' };
    const [ours, theirs] = [await alice.client.getContractApi({ path }), await bob.client.getContractApi({ path })];
    expect({ ...theirs.value, urls: ours.value.urls }).toEqual(ours.value);
    const document = valueOf(await documentOf(bob, theirs.value.urls.openapi));
    const invoke = '/api/v1/namespaces/default/apis/escrow/invoke/open';
    expect(Object.keys(Object(document).paths)).toContain(invoke);
    const { schema } = Object(document).paths[invoke].post.requestBody.content['application/json'];
    expect(schema.properties.input.required).toEqual(['seller', 'terms']);
    const page = await fetch(theirs.value.urls.ui);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  });

  it('changes everywhere when its publisher changes it, and not by others', async () => {
    const { alice, carol, parties } = network;
    const query = { publish: true, confirm: true } as const;
    const next = { name: 'escrow', version: '2.0', methods: [], events: [], errors: [] };
    const { value: its } = await alice.client.createContractInterface({ body: next, query });
    const first = { name: 'changing', interface: { name: 'escrow', version: '1.0' } };
    const { value: api } = await alice.client.createContractApi({ body: first, query });
    const body = textOf({ name: 'changing', interface: { name: 'escrow', version: '2.0' } });
    const path = `apis/${api.id}?confirm`;
    await eventually(() => carol.client.getContractApi({ path: { api: 'changing' } }));
    const theirs = await carol.client.exchange({ method: 'PUT', path, body });
    expect([theirs.status, theirs.text]).toEqual([409, expect.stringContaining('FF10449')]);
    const ours = await alice.client.exchange({ method: 'PUT', path, body });
    expect([ours.status, ours.text]).toEqual([200, expect.stringContaining(its.id ?? 'none')]);
    for (const { client } of parties) {
      await eventually(async () => {
        const { value } = await client.getContractApi({ path: { api: 'changing' } });
        expect(value).toMatchObject({ id: api.id, published: true, interface: { id: its.id } });
      });
    }
  });

  it('gets another name where a local one has the same', async () => {
    const { alice, bob } = network;
    const body = { name: 'shop', interface: { name: 'escrow', version: '1.0' } };
    const { value: own } = await bob.client.createContractApi({ body });
    const { value: shared } = await alice.client.createContractApi({
      body,
      query: { publish: true, confirm: true },
    });
    await eventually(async () => {
      const { value } = await bob.client.listContractApis({ query: { id: shared.id } });
      expect(value).toMatchObject([{ name: 'shop-1', networkName: 'shop', published: true }]);
    });
    expect((await bob.client.getContractApi({ path: { api: 'shop' } })).value).toMatchObject({ id: own.id });
  });

  it('has a unique name: the second one is rejected', async () => {
    const body = { name: 'escrow', version: '1.0', methods: [], events: [], errors: [], networkName: 'escrow' };
    const answer = await network.carol.client.exchange({
      method: 'POST',
      path: 'contracts/interfaces?publish&confirm',
      body: textOf({ ...body, name: 'mine' }),
    });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('FF10448')]);
  });
});

function wholeNumber(): { name: string; schema: JsonText } {
  return { name: '', schema: textOf({ type: 'integer', details: { type: 'uint256' } }) };
}

async function documentOf(party: TokenParty, url: string): Promise<JsonText> {
  const { text } = await party.client.exchange({ method: 'GET', path: new URL(url).pathname });
  return text as JsonText; // the node writes JSON
}

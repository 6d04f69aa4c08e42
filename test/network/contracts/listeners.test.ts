import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket } from '../../../src/cli/requests/open-socket.js';
import { events } from '../../../src/client/events/stream.js';
import { locationOf } from '../../../src/domain/contracts/location.js';
import type { ContractListener, ListenerRequest } from '../../../src/wire/contracts/contract.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { deployEcho, echoAbi, letSay, said, sung, written } from '../../support/echo-contract.js';
import { eventually } from '../../support/eventually.js';
import { refusalOf } from '../../support/token-calls.js';
import { startTokenNetwork, type TokenNetwork, type TokenParty } from '../../support/token-network.js';

const late = 30;

let network: TokenNetwork;
let echo: string;

beforeAll(async () => {
  network = await startTokenNetwork({ connectors: 1 });
  echo = await deployEcho(network.alice);
});
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

async function listen({ client }: TokenParty, body: ListenerRequest): Promise<ContractListener> {
  return (await client.createContractListener({ body })).value;
}

/** Returns the events recorded for a listener, once there are `count`, oldest first. */
function heard({ client }: TokenParty, { id }: ContractListener, count: number) {
  return eventually(async () => {
    const { value } = await client.listBlockchainEvents({ query: { listener: id, sort: 'protocolid', limit: 1_000 } });
    expect(value).toHaveLength(count);
    return value;
  });
}

const words = (records: readonly { readonly output: ReturnType<typeof textOf> }[]) =>
  records.map(({ output }) => (valueOf(output) as { word: string }).word);

/** Returns the chain's information about a log, without the ids that differ between listeners. */
function placeOf(info: ReturnType<typeof textOf>): unknown {
  return { ...Object(valueOf(info)), listenerId: '', subId: '' };
}

describe('listeners of several parties', () => {
  it("record the same events in the same order; only the caller's node knows whose call it was", async () => {
    const { alice, bob } = network;
    const own = await listen(alice, { topic: 'first', name: 'first', event: said, location: locationOf(echo) });
    const theirs = await listen(bob, { topic: 'first', event: said, location: locationOf(echo) });
    const calls = [];
    for (const word of [3, 1, 2]) calls.push(await letSay(alice, echo, word));
    const atAlice = await heard(alice, own, 3);
    const atBob = await heard(bob, theirs, 3);
    expect(words(atAlice)).toEqual(['3', '1', '2']);
    expect(atBob.map(({ protocolId, output, info }) => [protocolId, output, placeOf(info)])).toEqual(
      atAlice.map(({ protocolId, output, info }) => [protocolId, output, placeOf(info)]),
    );
    expect(atAlice.map(({ tx: { type, id } }) => [type, id])).toEqual(calls.map(({ tx }) => ['contract_invoke', tx]));
    expect(atBob.every(({ tx }) => tx.id === undefined && tx.blockchainId !== undefined)).toBe(true);
    const [{ tx: transactionid } = { tx: '' }] = calls;
    const path = { transactionid };
    expect((await alice.client.listTransactionBlockchainEvents({ path })).value).toEqual([atAlice[0]]);
    expect((await alice.client.getTransactionStatus({ path })).value).toMatchObject({
      status: 'Succeeded',
      details: expect.arrayContaining([expect.objectContaining({ type: 'BlockchainEvent', id: atAlice[0]?.id })]),
    });
  });

  it('created late record the whole history, like earlier ones', async () => {
    const { alice, bob, carol } = network;
    const contract = await deployEcho(alice);
    const request = { topic: 'history', event: said, location: locationOf(contract) };
    const early = await listen(alice, request);
    for (let word = 0; word < late; word++) await letSay(bob, contract, word);
    const expected = words(await heard(alice, early, late));
    const [oldest, newest] = [
      await listen(carol, request),
      await listen(bob, { ...request, options: from('"newest"') }),
    ];
    expect(words(await heard(carol, oldest, late))).toEqual(expected);
    await letSay(carol, contract, late);
    expect(words(await heard(carol, oldest, late + 1))).toEqual([...expected, String(late)]);
    expect(words(await heard(bob, newest, 1))).toEqual([String(late)]);
    const [first] = await heard(carol, oldest, late + 1);
    const { blockNumber } = valueOf(first?.info ?? textOf({})) as { blockNumber: string };
    const middle = { ...request, topic: 'middle', options: from(String(Number(blockNumber) + 1)) };
    expect(words(await heard(carol, await listen(carol, middle), late))).toEqual([...expected.slice(1), String(late)]);
  });
});

describe('a listener', () => {
  it('with several filters records events of several contracts in the order of the chain', async () => {
    const { alice, bob } = network;
    const [one, two] = [await deployEcho(alice), await deployEcho(alice)];
    const filters = [
      { event: said, location: locationOf(one) },
      { event: sung, location: locationOf(two) },
    ];
    const both = await listen(bob, { topic: 'both', filters });
    for (const [contract, word, event] of [
      [two, 1, sung],
      [one, 2, said],
      [one, 3, sung],
      [two, 4, said],
      [two, 5, sung],
    ] as const) {
      await letSay(alice, contract, word, event);
    }
    expect(words(await heard(bob, both, 3))).toEqual(['1', '2', '5']);
  });

  it('is not stopped by anything that a contract emits', async () => {
    const { alice, bob } = network;
    const contract = await deployEcho(alice);
    const listener = await listen(bob, { topic: 'hostile', filters: [{ event: written }, { event: sung }] });
    for (const word of [1, 32, 2 ** 40]) await letSay(alice, contract, word, written);
    await letSay(alice, contract, 7, sung);
    const records = await eventually(async () => {
      const { value } = await bob.client.listBlockchainEvents({ query: { listener: listener.id } });
      const its = value.filter(({ info }) => info.includes(contract));
      expect(its.some(({ name }) => name === 'Sung')).toBe(true);
      return its;
    });
    expect(records.map(({ name, output }) => [name, output])).toEqual([['Sung', '{"word":"7"}']]);
  });

  it('is found by name, refused a second time, and records nothing more once deleted', async () => {
    const { alice } = network;
    const request = { topic: 'gone', name: 'gone', event: said, location: locationOf(echo) };
    const { id } = await listen(alice, { ...request, options: from('"newest"') });
    const path = { nameorid: 'gone' };
    await eventually(async () => {
      expect((await alice.client.getContractListener({ path })).value).toMatchObject({ id, state: 'following' });
    });
    expect(await refusalOf(listen(alice, { ...request, topic: 'other' }))).toEqual({ status: 409, code: 'FF10312' });
    expect(await refusalOf(listen(alice, { ...request, name: 'other' }))).toEqual({ status: 409, code: 'FF10383' });
    await alice.client.deleteContractListener({ path });
    expect(await refusalOf(alice.client.getContractListener({ path }))).toEqual({ status: 404, code: 'FF10109' });
    const other = await listen(alice, { ...request, topic: 'after', name: 'after', options: from('"newest"') });
    await letSay(alice, echo, 9);
    await heard(alice, other, 1);
    expect((await alice.client.listBlockchainEvents({ query: { listener: id } })).value).toEqual([]);
  });
});

describe('a contract API', () => {
  it('has listeners for its events, at its location', async () => {
    const { alice } = network;
    const { client } = alice;
    const generated = await client.generateContractInterface({ body: { input: { abi: echoAbi } } });
    const body = { ...generated.value, name: 'echo', version: '1.0' };
    const { value: defined } = await client.createContractInterface({ body, query: { confirm: true } });
    const api = { name: 'echo', interface: { id: defined.id ?? '' }, location: locationOf(echo) };
    await client.createContractApi({ body: api, query: { confirm: true } });
    const path = { apiname: 'echo', eventpath: 'Said' };
    const { value: listener } = await client.createApiListener({ path, body: { topic: 'api' } });
    expect(listener).toMatchObject({ interface: { id: defined.id }, location: locationOf(echo), topic: 'api' });
    expect((await client.listApiListeners({ path })).value.map(({ id }) => id)).toEqual([listener.id]);
    expect((await client.listApiListeners({ path: { ...path, eventpath: 'Sung' } })).value).toEqual([]);
    const unknown = client.listApiListeners({ path: { ...path, eventpath: 'Cried' } });
    expect(await refusalOf(unknown)).toEqual({ status: 400, code: 'FF10370' });
    const { value: past } = await client.listBlockchainEvents({ query: { name: 'Said', limit: 1 } });
    expect(past).toHaveLength(1);
  });
});

describe('a subscription', () => {
  it('to one listener gets only its events, each with its data', async () => {
    const { alice } = network;
    const wanted = await listen(alice, {
      topic: 'wanted',
      event: said,
      location: locationOf(echo),
      options: from('"newest"'),
    });
    await listen(alice, { topic: 'unwanted', event: said, location: locationOf(echo), options: from('"newest"') });
    const ended = new AbortController();
    const filters = {
      events: '^blockchain_event_received$',
      'blockchainevent.listener': `^${wanted.id}$`,
      'blockchainevent.name': '^Said$',
      'transaction.type': '^contract_invoke$',
    };
    const { url } = alice;
    const stream = events({ url, namespace: 'default', filters, openSocket, retry: 'always', signal: ended.signal });
    await stream.next();
    for (const word of [5, 6]) await letSay(alice, echo, word);
    const got = [];
    for await (const item of stream) {
      if (item.kind === 'event') got.push(item.event);
      if (got.length === 2) break;
    }
    ended.abort();
    expect(got).toMatchObject(
      [5, 6].map((word) => ({
        type: 'blockchain_event_received',
        topic: 'wanted',
        blockchainEvent: { listener: wanted.id, output: `{"word":"${word}"}` },
      })),
    );
  });
});

function from(text: string): { readonly firstEvent: ReturnType<typeof compact> } {
  return { firstEvent: compact(text) };
}

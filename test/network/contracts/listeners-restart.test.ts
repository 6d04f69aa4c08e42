import { afterAll, beforeAll, expect, it } from 'vitest';
import { tokenPoolsAddress } from '../../../src/adapters/blockchain/memory/chain.js';
import { createEthersCodec } from '../../../src/adapters/contract-codec/ethers.js';
import { type Client, createClient } from '../../../src/client/client.js';
import { locationOf } from '../../../src/domain/contracts/location.js';
import { ffiParameter } from '../../../src/domain/contracts/schema.js';
import type { FfiEvent } from '../../../src/wire/contracts/contract.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { eventually } from '../../support/eventually.js';

const somebody = `0x${'7'.repeat(40)}`;
const created: FfiEvent = {
  name: 'PoolCreated',
  params: [
    ffiParameter({ name: 'creator', type: 'address', indexed: true }),
    ffiParameter({ name: 'startId', type: 'uint256', indexed: true }),
    ffiParameter({ name: 'endId', type: 'uint256' }),
    ffiParameter({ name: 'isFungible', type: 'bool' }),
    ffiParameter({ name: 'data', type: 'bytes' }),
  ],
};
const create = {
  type: 'function',
  name: 'create',
  inputs: [
    { name: 'isFungible', type: 'bool' },
    { name: 'data', type: 'bytes' },
  ],
} as const;

let network: TestNetwork;
let client: Client;

beforeAll(async () => {
  network = await startTestNetwork(['alice']);
  client = createClient({ url: network.node.url });
});
afterAll(async () => {
  expect(network.node.fatal).toEqual([]);
  await network.stop();
});

let numbers = 0;
/** Makes the contract emit this many more numbers. */
function say(count: number): void {
  const codec = createEthersCodec();
  for (let said = 0; said < count; said++) {
    const number = (numbers++).toString(16).padStart(8, '0');
    const data = codec.encodeCall(create, textOf({ isFungible: true, data: `0x${number}` }));
    network.ledger.call(somebody, { type: 'contract', to: tokenPoolsAddress, data, gas: 1_000_000, value: '0' });
  }
}

async function listen(topic: string): Promise<string> {
  const body = { topic, name: topic, event: created, location: locationOf(tokenPoolsAddress) };
  return (await client.createContractListener({ body })).value.id;
}

async function heardBy(listener: string): Promise<readonly number[]> {
  const query = { listener, sort: 'protocolid', limit: 1_000 };
  const { value } = await client.listBlockchainEvents({ query });
  return value.map(({ output }) => Number((valueOf(output) as { data: string }).data));
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

it('a listener misses no event and gets none twice, whenever its node is restarted', async () => {
  const first = await listen('first');
  say(50);
  await network.restart(() => {
    say(50);
    return Promise.resolve();
  });
  say(10);
  // Its history may be read in this life of the node, or in the next.
  const second = await listen('second');
  await network.restart(() => {
    say(10);
    return Promise.resolve();
  });
  say(1);
  for (const listener of [first, second]) {
    await eventually(async () => expect(await heardBy(listener)).toEqual(upTo(121)));
  }
  const events = await client.listEvents({
    query: {
      type: 'blockchain_event_received',
      topic: 'second',
      sort: 'sequence',
      limit: 1_000,
      fetchreferences: true,
    },
  });
  const places = events.value.map(({ blockchainEvent }) => blockchainEvent?.protocolId ?? '');
  expect(places).toEqual(places.toSorted());
  expect(places).toHaveLength(121);
});

import { Interface } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createErc20Erc721 } from '../../../src/adapters/token-connector/erc20-erc721.js';
import { locationOf } from '../../../src/domain/contracts/location.js';
import { callLane, newOperation } from '../../../src/pipeline/operations/operation.js';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import type { JsonText } from '../../../src/wire/scalar.js';
import { uuid } from '../../support/fixtures.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';
import { aPool } from '../../unit/pipeline/accept/tokens/a-token-scene.js';

const registry = new Interface([
  'function setNode(string endpoint, bytes32 publicKeyHash)',
  'function memberWithKey(address key) view returns (tuple(string org, string node, string endpoint, bytes32 hash))',
]);
const stolen = { endpoint: 'https://127.0.0.1:666', publicKeyHash: `0x${'e'.repeat(64)}` };
const text = { type: 'string', details: { type: 'string' } };
const method = {
  name: 'setNode',
  params: [
    { name: 'endpoint', schema: text },
    { name: 'publicKeyHash', schema: { type: 'string', details: { type: 'bytes32' } } },
  ],
  returns: [],
};

let network: TokenNetwork;
let address = '';
beforeAll(async () => {
  network = await startTokenNetwork();
  const status = await network.alice.client.getStatus();
  address = status.value.multiparty.contract.active.location.address;
}, 60_000);
afterAll(() => network.stop());

async function post(path: string, body: unknown): Promise<readonly [status: number, code: string]> {
  const { status, text: said } = await network.alice.client.exchange({ method: 'POST', path, body: textOf(body) });
  return [status, /(?:FF|PY)\d+/.exec(said)?.[0] ?? said];
}

const refused = [403, 'PY1503'];
const upper = () => `0x${address.slice(2).toUpperCase()}`;

async function makeApi(name: string, location: JsonText | undefined): Promise<void> {
  const { client } = network.alice;
  const params = method.params.map((parameter) => ({ ...parameter, schema: textOf(parameter.schema) }));
  const request = { name, version: '1', methods: [{ ...method, params }], events: [], errors: [] };
  const { value } = await client.createContractInterface({ body: request });
  const at = location === undefined ? {} : { location };
  await client.createContractApi({ body: { name, interface: { id: value.id ?? '' }, ...at } });
}

/** Queries alice's entry in the registry through her node; queries are free. */
async function entry(): Promise<JsonText> {
  const { client, key } = network.alice;
  const type = 'tuple';
  const members = ['org', 'node', 'endpoint'].map((name, index) => [
    name,
    { ...text, details: { type: 'string', index } },
  ]);
  const hash = ['hash', { type: 'string', details: { type: 'bytes32', index: 3 } }] as const;
  const schema = { type: 'object', details: { type }, properties: Object.fromEntries([...members, hash]) };
  const { value } = await client.queryContract({
    body: {
      location: locationOf(address),
      method: {
        name: 'memberWithKey',
        params: [{ name: 'key', schema: textOf({ type: 'string', details: { type: 'address' } }) }],
        returns: [{ name: 'member', schema: textOf(schema) }],
      },
      input: textOf({ key }),
    },
  });
  return value;
}

describe('the contract of the network', () => {
  it('is refused as the target of a call, however it is written', async () => {
    for (const at of [address, upper(), address.replace('0x', '0X')]) {
      expect(await post('contracts/invoke', { location: { address: at }, method, input: stolen })).toEqual(refused);
    }
  });

  it('is refused through a contract API, whoever gives the address', async () => {
    await makeApi('fixed', locationOf(address));
    await makeApi('open', undefined);
    expect(await post('apis/fixed/invoke/setNode', { input: stolen })).toEqual(refused);
    expect(await post('apis/open/invoke/setNode', { location: { address: upper() }, input: stolen })).toEqual(refused);
  });

  it('is refused as the contract of a pool', async () => {
    const pool = { name: 'registry', type: 'fungible', connector: 'erc20_erc721', config: { address: upper() } };
    expect(await post('tokens/pools', pool)).toEqual(refused);
  });

  it('is refused for operations in a pool that another member has defined there', async () => {
    const { database } = network.alice;
    const locator = `address=${address}&type=fungible&schema=ERC20NoData&block=1`;
    const located = createErc20Erc721({ address }).locate(locator);
    const place = { connector: 'erc20_erc721', locator, address, chainKey: located?.key ?? '', standard: 'ERC20' };
    await database.transaction((unit) => unit.insert('pools', [aPool(3, { ...place, name: 'theirs' })]));
    for (const path of ['tokens/mint', 'tokens/transfers', 'tokens/burn']) {
      expect(await post(path, { pool: 'theirs', amount: '1', to: 'bob' })).toEqual(refused);
    }
    expect(await post('tokens/approvals', { pool: 'theirs', operator: 'bob' })).toEqual(refused);
  });

  it('is refused when an operation of an earlier version is run, and when it is retried', async () => {
    const { database, key } = network.alice;
    const data = registry.encodeFunctionData('setNode', [stolen.endpoint, stolen.publicKeyHash]);
    const input = {
      key,
      location: { address },
      method: { name: 'setNode' },
      options: { value: '0' },
      data,
      errors: [],
    };
    const subject = { namespace: 'default', tx: uuid(71), batch: '', batchHash: '', signer: key };
    const created = new Date().toISOString();
    const type = 'blockchain_invoke';
    const row = newOperation({ id: uuid(70), type, lane: callLane(key), created, subject, input });
    await database.transaction((unit) => unit.insert('operations', [row]));
    const find = async () => database.first('operations', { namespace: 'default', id: uuid(70) });
    await expect.poll(find).toMatchObject({
      status: 'Failed',
      raw: null,
      error: expect.stringContaining('PY1503'),
    });
    expect(await post(`operations/${uuid(70)}/retry`, {})).toEqual(refused);
  });

  it('accepts no call by a contract whose deployment calls it', async () => {
    const data = registry.encodeFunctionData('setNode', [stolen.endpoint, stolen.publicKeyHash]).slice(2);
    const size = (data.length / 2).toString(16).padStart(4, '0');
    // Copies its tail to memory, calls the network's contract with it, and leaves an empty contract.
    const head = (offset: string) =>
      `61${size}60${offset}60003960006000` + `61${size}60006000` + `73${address.slice(2)}5af1` + `5060006000f3`;
    const offset = (head('00').length / 2).toString(16).padStart(2, '0');
    const body = { contract: `0x${head(offset)}${data}`, input: [] };
    expect(await post('contracts/deploy?confirm', body)).toEqual([200, expect.anything()]);
  });

  it("can be queried, and still has the node's own entry", async () => {
    expect(Object(valueOf(await entry())).member).toMatchObject({
      org: 'alice',
      endpoint: 'https://127.0.0.1/alice',
    });
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { foreignContract } from '../../support/foreign-contracts.js';
import { stockClient } from '../../support/stock-client.js';
import { startTokenNetwork, type TokenNetwork } from '../../support/token-network.js';

/** Token pools over contracts of users, as stock clients create and read them. */

let network: TokenNetwork;
let alice: ReturnType<typeof stockClient>;
beforeAll(async () => {
  network = await startTokenNetwork();
  alice = stockClient(network.alice.url);
});
afterAll(async () => {
  expect(network.parties.flatMap(({ fatal }) => fatal)).toEqual([]);
  await network.stop();
});

test('an erc1155 pool may be in any contract of that interface, and all parties follow it there', async () => {
  const address = await network.deploy('TokenPools');
  expect(address).not.toBe(network.tokenPools);
  const request = { name: 'elsewhere', type: 'fungible', connector: 'erc1155', config: { address } };
  const { status, body } = await alice.post('tokens/pools?confirm=true&publish=true', request);
  expect({ status, body }).toMatchObject({ status: 200, body: { info: { address }, active: true } });
  await alice.post('tokens/mint?confirm=true', { pool: 'elsewhere', amount: '5' });
  for (const { url } of network.parties) {
    const client = stockClient(url);
    expect(await client.list('tokens/pools?name=elsewhere', 1)).toMatchObject([{ info: { address } }]);
    expect(await client.list('tokens/balances?pool=elsewhere', 1)).toMatchObject([
      { key: network.alice.key, balance: '5' },
    ]);
  }
});

test('an erc1155 pool in another contract fails, and gives the reason', async () => {
  const config = { address: `0x${'ab'.repeat(20)}` };
  const request = { name: 'nowhere', type: 'fungible', connector: 'erc1155', config };
  const { body } = await alice.post('tokens/pools', request);
  await eventually(async () => {
    const [operation] = await alice.list(`operations?tx=${String(Object(body['tx']).id)}&type=token_create_pool`, 1);
    expect(operation).toMatchObject({ status: 'Failed', error: expect.stringContaining('no pool') });
  });
});

test('a pool with an interface shows its methods by use, each with its format, without empty names', async () => {
  const { abi, bytecode } = foreignContract('WordyCoin');
  const deployed = await alice.post('contracts/deploy?confirm=true', {
    definition: abi,
    contract: bytecode,
    input: [],
  });
  const address: unknown = Object(Object(deployed.body['output']).contractLocation).address;
  const generated = await alice.post('contracts/interfaces/generate', { name: 'wordy', version: '1', input: { abi } });
  const returns = [{ name: '', schema: { type: 'boolean', details: { type: 'bool' } } }];
  const given: unknown = generated.body['methods'];
  const all = Array.isArray(given) ? given.map((each) => ({ ...Object(each), returns })) : [];
  const ffi = { ...generated.body, methods: all };
  const made = await alice.post('contracts/interfaces?publish=true&confirm=true', ffi);
  const methods = { mint: 'emitTo', transfer: 'move', burn: 'retire', approval: 'permit' };
  for (const interfaceFormat of ['abi', 'ffi']) {
    const { status, body } = await alice.post('tokens/pools?confirm=true&publish=false', {
      name: `wordy-${interfaceFormat}`,
      type: 'fungible',
      connector: 'erc20_erc721',
      interfaceFormat,
      interface: { id: made.body['id'] },
      config: { address, methods },
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    const shown: Record<string, unknown> = Object(body['methods']);
    expect(Object.keys(shown).sort()).toEqual(['approval', 'burn', 'mint', 'transfer']);
    for (const use of Object.values(shown)) {
      expect(use).toMatchObject({ format: interfaceFormat, methods: [{ name: expect.any(String) }] });
    }
    const nameless =
      interfaceFormat === 'abi' ? { outputs: [{ name: '', type: 'bool' }] } : { returns: [{ name: '' }] };
    expect(shown['approval']).toMatchObject({ methods: [nameless] });
  }
});

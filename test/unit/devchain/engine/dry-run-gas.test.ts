import { getCreateAddress } from 'ethers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RpcError } from '../../../../src/devchain/rpc/rpc-error.js';
import { withDryRunGas } from '../../../../src/devchain/engine/dry-run-gas.js';
import { alice, serve, type Served, transfer } from '../support.js';

/** Creation code of a contract that returns the gas that it has. */
const tellsItsGas = '0x600a600c600039600a6000f3' + '5a60005260206000f300';
/** Reverts if it has less gas than six million. */
const wantsMuch = '0x600f600c600039600f6000f3' + '625b8d805a10600a57005b600080fd';
const loops = '0x6004600c60003960046000f3' + '5b600056';

let server: Served;
const contracts: string[] = [];
const call = (contract: number, gas?: string): object => ({ from: alice.address, to: contracts[contract], gas });

beforeAll(async () => {
  server = await serve();
  for (const [nonce, data] of [tellsItsGas, wantsMuch, loops].entries()) {
    await server.call('eth_sendRawTransaction', await transfer(alice, nonce, { to: null, data }));
    contracts.push(getCreateAddress({ from: alice.address, nonce }));
  }
});
afterAll(() => server.stop());

test('a call without a gas limit has five million, and with one has that much', async () => {
  const [few, many] = [undefined, '0x1000000'].map(async (gas) => Number(await server.call('eth_call', call(0, gas))));
  expect(await few).toBeGreaterThan(4_900_000);
  expect(await few).toBeLessThan(5_000_000);
  expect(await many).toBeGreaterThan(16_000_000);
});

test.each(['eth_call', 'eth_estimateGas'])(
  '%s of a contract that loops ends early, and says how to have more',
  async (method) => {
    await expect(server.call(method, call(2))).rejects.toMatchObject({
      cause: { code: 3, message: expect.stringContaining('to at most 16777216') },
    });
  },
);

test('a call that needs more gas is estimated within the given limit', async () => {
  await expect(server.call('eth_estimateGas', call(1))).rejects.toMatchObject({ cause: { code: 3 } });
  const gas = Number(await server.call('eth_estimateGas', call(1, '0x1000000')));
  expect(gas).toBeGreaterThan(6_000_000);
  expect(gas).toBeLessThan(6_200_000);
});

test('a creation without a gas limit has five million, and more by its length up to a maximum', async () => {
  const gasOf = (call: object): Promise<unknown> =>
    withDryRunGas([call, 'latest'], ([bounded]) => Promise.resolve(Number((bounded as { readonly gas: string }).gas)));
  expect(await gasOf({ to: null })).toBe(5_000_000);
  expect(await gasOf({ data: `0x${'00'.repeat(999)}` })).toBe(5_256_000);
  expect(await gasOf({ input: `0x${'00'.repeat(999)}` })).toBe(5_256_000);
  expect(await gasOf({ data: `0x${'00'.repeat(100_000)}` })).toBe(16_777_216);
});

test('a creation that loops ends early', async () => {
  await expect(server.call('eth_call', { from: alice.address, data: '0x5b600056' })).rejects.toMatchObject({
    cause: { code: 3, message: expect.stringMatching(/500\d{4} gas .* to at most 16777216/) },
  });
});

test.each([[[{ data: '0x00', gas: '0x1' }, 'latest']], [[{ to: 'x', gas: '0x1' }]], [['call']], [[]]])(
  'the parameters %j are tried as they are',
  async (params) => {
    expect(await withDryRunGas(params, (bounded) => Promise.resolve(bounded))).toBe(params);
  },
);

test('other errors are unchanged', async () => {
  const error = new RpcError(3, 'reverted');
  await expect(withDryRunGas([{ to: 'x' }], () => Promise.reject(error))).rejects.toBe(error);
});

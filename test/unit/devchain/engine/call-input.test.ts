import { afterAll, beforeAll, expect, test } from 'vitest';
import { rpcCodes } from '../../../../src/devchain/rpc/rpc-error.js';
import { alice, serve, type Served } from '../support.js';

/** Creation code of a contract whose code is one byte, 0xaa. */
const code = '0x60aa60005360016000f3';

let server: Served;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.stop());

test.each([
  { data: code },
  { input: code },
  { data: code, input: code },
  { data: code.toUpperCase().replace('X', 'x'), input: code },
  { data: null, input: code },
  { data: code, input: null },
])('a call is run with the data that it has under any name, as %j', async (named) => {
  expect(await server.call('eth_call', { from: alice.address, ...named })).toBe('0xaa');
  expect(await server.call('eth_estimateGas', { from: alice.address, ...named })).toMatch(/^0x[0-9a-f]+$/);
});

test.each(['eth_call', 'eth_estimateGas'])('%s of two different data is refused', async (method) => {
  await expect(server.call(method, { data: code, input: '0x00' })).rejects.toMatchObject({
    cause: { code: rpcCodes.invalidParams },
  });
});

test('a call without any data is run', async () => {
  expect(await server.call('eth_call', { to: alice.address, data: null, input: null })).toBe('0x');
});

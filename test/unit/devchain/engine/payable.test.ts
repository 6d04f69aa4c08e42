import { afterEach, beforeEach, expect, test } from 'vitest';
import { rpcCodes } from '../../../../src/devchain/rpc/rpc-error.js';
import { alice, bob, richness, type Served, serve } from '../support.js';

let server: Served;
beforeEach(async () => {
  server = await serve();
});
afterEach(async () => {
  await server.stop();
});

const methods = ['eth_estimateGas', 'eth_call'] as const;
const cases = methods.flatMap((method) =>
  [2n ** 256n - 1n, 2n ** 192n, richness + 1n].map((value) => ({ method, value })),
);
const refusal = { cause: { code: rpcCodes.refused, message: expect.stringContaining('insufficient funds') } };
const paying = (value: bigint): object => ({ to: bob.address, value: `0x${value.toString(16)}` });

test.each(cases)('$method is refused a value of $value that the sender does not have', async ({ method, value }) => {
  await expect(server.call(method, { from: alice.address, ...paying(value) })).rejects.toMatchObject(refusal);
});

test.each(methods)('%s without a sender is refused more than there can be', async (method) => {
  await expect(server.call(method, paying(2n ** 256n - 1n))).rejects.toMatchObject(refusal);
});

test.each(methods)('%s of a value of more than 256 bits is refused as invalid', async (method) => {
  const invalid = { cause: { code: rpcCodes.invalidParams } };
  await expect(server.call(method, { from: alice.address, ...paying(2n ** 256n) })).rejects.toMatchObject(invalid);
});

test.each(methods)('%s of a value that the sender has is answered', async (method) => {
  expect(await server.call(method, { from: alice.address, ...paying(richness / 2n) })).toMatch(/^0x/);
});

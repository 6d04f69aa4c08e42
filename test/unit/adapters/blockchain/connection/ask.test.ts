import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Blockchain } from '../../../../../src/ports/blockchain.js';
import { connectTo, openScriptedChain, type ScriptedChain, ScriptedError, silence } from '../scripted-chain.js';

const to = `0x${'c'.repeat(40)}`;
const key = `0x${'a'.repeat(40)}`;
const aCall = { to, data: '0x', value: '0' };
let server: ScriptedChain;
let chain: Blockchain;

beforeEach(async () => {
  server = await openScriptedChain();
  chain = connectTo(server);
});
afterEach(async () => {
  await chain.close();
  await server.close();
});

function failEstimate(error: ScriptedError): void {
  server.methods['eth_estimateGas'] = () => {
    throw error;
  };
}

test("a query has the given gas, or the server's default", async () => {
  const seen: unknown[] = [];
  server.methods['eth_call'] = (call: never) => seen.push(call) && '0x';
  await chain.query({ to, data: '0x01', gas: 6_000_000 });
  await chain.query({ to, data: '0x01' });
  expect(seen).toEqual([
    { to, data: '0x01', gas: '0x5b8d80' },
    { to, data: '0x01' },
  ]);
});

test('an estimate has the given gas', async () => {
  const seen: unknown[] = [];
  server.methods['eth_estimateGas'] = (call: never) => seen.push(call) && '0x5208';
  expect(await chain.estimate(key, { to, data: '0x', value: '0', gas: 6_000_000 })).toMatchObject({ gas: 21_000 });
  expect(seen).toEqual([{ from: key, to, data: '0x', value: '0x0', gas: '0x5b8d80' }]);
});

test.each([
  'Transaction requires at least 21484 gas but got 21000',
  'intrinsic gas too low: have 21000, want 21484',
  'transaction gas limit (16777217) is greater than the cap (16777216)',
  'out of gas',
])('that there is too little gas, or too much, is an answer: %s', async (message) => {
  server.methods['eth_call'] = () => {
    throw new ScriptedError(message);
  };
  expect(await chain.query({ to, data: '0x' })).toEqual({ status: 'reverted', reason: message, data: '0x' });
});

test.each([
  // Hardhat's engine.
  'create initcode size limit',
  'Transaction requires gas floor of 21510 but got limit of 21400',
  // geth.
  'failed with 11500000 gas: max initcode size exceeded: code size 49153 limit 49152',
  'failed with 21400 gas: insufficient gas for floor data gas cost: have 21400, want 21480',
  'max code size exceeded',
  'invalid code: must not begin with 0xef',
  // Anvil.
  'max initcode size exceeded',
  'intrinsic gas too high -- GasFloorMoreThanGasLimit',
  'gas floor (21480) exceeds the gas limit (21400)',
  'EVM error CreateContractSizeLimit',
])('a call that the rules of the chain refuse is refused when it is estimated: %s', async (message) => {
  failEstimate(new ScriptedError(message));
  expect(await chain.estimate(key, aCall)).toEqual({ status: 'reverted', reason: message, data: '0x' });
});

test.each([
  ['the chain is away', 'limit exceeded', -32_005, 'unreachable'],
  ['the chain is away', 'resource unavailable', -32_002, 'unreachable'],
  ['the chain is away', 'Too many requests', 429, 'unreachable'],
  ['it answers', 'node is syncing', -32_000, 'error_response'],
  ['it answers', 'EVM error FatalExternalError', -32_603, 'error_response'],
])('an error that does not refuse the call says that %s: %s', async (_, message, code, reason) => {
  failEstimate(new ScriptedError(message, code));
  await expect(chain.estimate(key, aCall)).rejects.toMatchObject({ reason, message });
});

test('an estimate without an answer means that the chain is away', async () => {
  server.methods['eth_estimateGas'] = () => {
    server.cut();
    return silence;
  };
  await expect(chain.estimate(key, aCall)).rejects.toMatchObject({ reason: 'unreachable' });
});

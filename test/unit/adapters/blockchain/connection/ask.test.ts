import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEthereumBlockchain } from '../../../../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import type { Blockchain } from '../../../../../src/ports/blockchain.js';
import { openScriptedChain, type ScriptedChain, ScriptedError } from '../scripted-chain.js';

const to = `0x${'c'.repeat(40)}`;
const key = `0x${'a'.repeat(40)}`;
let server: ScriptedChain;
let chain: Blockchain;

beforeEach(async () => {
  server = await openScriptedChain();
  chain = createEthereumBlockchain({
    url: server.url,
    contract: server.contract,
    firstBlock: 1,
    confirmations: 0,
    keys: [],
    log: createSilentLog(),
    clock: createSystemClock(),
  });
});
afterEach(async () => {
  await chain.close();
  await server.close();
});

test('a query has the gas that is named, and else what the server gives', async () => {
  const seen: unknown[] = [];
  server.methods['eth_call'] = (call: never) => seen.push(call) && '0x';
  await chain.query({ to, data: '0x01', gas: 6_000_000 });
  await chain.query({ to, data: '0x01' });
  expect(seen).toEqual([
    { to, data: '0x01', gas: '0x5b8d80' },
    { to, data: '0x01' },
  ]);
});

test('an estimate has the gas that is named', async () => {
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

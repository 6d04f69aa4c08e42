import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEthereumBlockchain } from '../../../../src/adapters/blockchain/ethereum.js';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Blockchain } from '../../../../src/ports/blockchain.js';
import { aPin } from '../../../compliance/blockchain-follower.js';
import { openScriptedChain, type ScriptedChain, ScriptedError } from './scripted-chain.js';

const receipt = { status: '0x1', blockNumber: '0x7' };
let server: ScriptedChain;
let chain: Blockchain;
let raw: string;

beforeEach(async () => {
  server = await openScriptedChain();
  chain = createEthereumBlockchain({
    url: server.url,
    contract: server.contract,
    firstBlock: 1,
    confirmations: 0,
    keys: [`0x${'2'.repeat(64)}`],
    log: createSilentLog(),
    clock: createSystemClock(),
  });
  server.methods['eth_sendRawTransaction'] = () => `0x${'0'.repeat(64)}`;
  server.methods['eth_getTransactionReceipt'] = () => receipt;
  server.methods['eth_getTransactionCount'] = () => '0x0';
  ({ raw } = await chain.sign(chain.keys[0] ?? '', 0, aPin()));
});
afterEach(async () => {
  await chain.close();
  await server.close();
});

function object(message: string): void {
  server.methods['eth_sendRawTransaction'] = () => {
    throw new ScriptedError(message);
  };
}

/** The receipt comes when it was asked for that often. */
function giveReceiptAfter(count: number): void {
  let asked = 0;
  server.methods['eth_getTransactionReceipt'] = () => ((asked += 1) > count ? receipt : null);
}

test('on a chain that mines at once, a call costs two requests', async () => {
  const before = server.asked.length;
  expect(await chain.submit(raw)).toMatchObject({ status: 'success', block: 7 });
  expect(server.asked.slice(before)).toEqual(['eth_sendRawTransaction', 'eth_getTransactionReceipt']);
});

test('a call that is mined later is waited for', async () => {
  giveReceiptAfter(3);
  expect(await chain.submit(raw)).toMatchObject({ status: 'success', block: 7 });
});

test.each(['already known', 'ALREADY_EXISTS: already exists', 'Known transaction: 0x12'])(
  'to "%s" the answer is patience',
  async (message) => {
    object(message);
    giveReceiptAfter(2);
    expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
  },
);

test.each(['nonce too low', 'intrinsic gas too low', 'transaction reverted', 'internal error'])(
  'a call that is mined is mined, though the chain objects: %s',
  async (message) => {
    object(message);
    expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
  },
);

test('a receipt that comes a little after its nonce counts', async () => {
  object('nonce too low: next nonce 1, tx nonce 0');
  server.methods['eth_getTransactionCount'] = () => '0x1';
  giveReceiptAfter(3);
  expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
});

test.each([
  ['nonce too low', 'unreachable', '0x0'],
  ['nonce too low', 'refused', '0x1'],
  ['anything at all', 'refused', '0x1'],
  ['intrinsic gas too low', 'refused', '0x0'],
  ['invalid chain id for signer', 'refused', '0x0'],
  ['insufficient funds for gas * price + value', 'unreachable', '0x0'],
  ['max fee per gas less than block base fee', 'unreachable', '0x0'],
  ['txpool is full', 'unreachable', '0x0'],
  ['internal error', 'unreachable', '0x0'],
])('"%s" means %s when the key has used %s nonces', async (message, reason, count) => {
  object(message);
  server.methods['eth_getTransactionReceipt'] = () => null;
  server.methods['eth_getTransactionCount'] = () => count;
  await expect(chain.submit(raw)).rejects.toMatchObject({ reason });
});

test.each([
  ['0x', 'execution reverted'],
  ['0x1234', 'execution reverted'],
  [`0x8e4a23d6${'0'.repeat(24)}${'a'.repeat(40)}`, 'execution reverted'],
  [
    `0x08c379a0${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${Buffer.from('why').toString('hex').padEnd(64, '0')}`,
    'why',
  ],
])('the reason of a revert is read from %s', async (data, reason) => {
  server.methods['eth_getTransactionReceipt'] = () => ({ ...receipt, status: '0x0' });
  server.methods['eth_call'] = () => {
    throw new ScriptedError('execution reverted', 3, data);
  };
  expect(await chain.submit(raw)).toMatchObject({ status: 'reverted', block: 7, reason });
});

test('an answer that is no receipt means that the chain cannot be reached', async () => {
  server.methods['eth_getTransactionReceipt'] = () => ({ status: 1 });
  await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
});

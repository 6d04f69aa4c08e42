import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import type { Blockchain } from '../../../../src/ports/blockchain.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { aPin, follow } from '../../../compliance/blockchain/follower.js';
import { connectTo, openScriptedChain, type ScriptedChain, ScriptedError } from './scripted-chain.js';

const receipt = { status: '0x1', blockNumber: '0x7' };
const keys = [`0x${'2'.repeat(64)}`];
let server: ScriptedChain;
let chain: Blockchain;
let raw: string;

beforeEach(async () => {
  server = await openScriptedChain();
  chain = connectTo(server, { keys });
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

/** Makes the receipt available after it was requested this often. */
function giveReceiptAfter(count: number): void {
  let asked = 0;
  server.methods['eth_getTransactionReceipt'] = () => ((asked += 1) > count ? receipt : null);
}

test('on a chain that mines at once, a call needs two requests', async () => {
  const before = server.asked.length;
  expect(await chain.submit(raw)).toMatchObject({ status: 'success', block: 7 });
  expect(server.asked.slice(before)).toEqual(['eth_sendRawTransaction', 'eth_getTransactionReceipt']);
});

test('a call whose log is read needs one request, and the log proves it', async () => {
  const { transactionHash } = await chain.sign(chain.keys[0] ?? '', 0, aPin());
  const follower = follow(chain);
  server.mine(1);
  await follower.untilPins(1);
  const logs = server.methods['eth_getLogs'];
  server.methods['eth_getLogs'] = (range: never) =>
    (logs?.(range) as object[]).map((log) => ({ ...log, transactionHash: `0x${transactionHash}` }));
  server.methods['eth_sendRawTransaction'] = () => {
    setImmediate(() => server.mine(1));
    return `0x${transactionHash}`;
  };
  const before = server.asked.length;
  expect(await chain.submit(raw)).toEqual({ status: 'success', transactionHash, block: 2, transactionIndex: 0 });
  expect(server.asked.slice(before)).toEqual(['eth_sendRawTransaction', 'eth_getLogs']);
  await follower.stop();
});

test('a call without a log is looked up when its block is read', async () => {
  const follower = follow(chain);
  server.mine(1);
  await follower.untilPins(1);
  server.methods['eth_sendRawTransaction'] = () => {
    setImmediate(() => server.mine());
    return `0x${'0'.repeat(64)}`;
  };
  const before = server.asked.length;
  expect(await chain.submit(raw)).toMatchObject({ status: 'success', block: 7 });
  const asked = ['eth_sendRawTransaction', 'eth_getLogs', 'eth_getTransactionReceipt'];
  expect(server.asked.slice(before)).toEqual(asked);
  await follower.stop();
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

test('a receipt that arrives shortly after its nonce is used counts', async () => {
  object('nonce too low: next nonce 1, tx nonce 0');
  server.methods['eth_getTransactionCount'] = () => '0x1';
  giveReceiptAfter(3);
  expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
});

test('of several servers, one may tell of a used nonce many seconds before another has the receipt', async () => {
  const clock = createManualClock();
  // Delays between two looks pass at once; longer times are limits of requests.
  const sleep: Clock['sleep'] = (ms, signal) => (ms > 1_000 ? clock.sleep(ms, signal) : clock.advance(ms));
  const external = connectTo(server, { keys, isExternal: true, clock: { ...clock, sleep } });
  object('nonce too low');
  server.methods['eth_getTransactionCount'] = () => '0x1';
  giveReceiptAfter(14);
  expect(await external.submit(raw)).toMatchObject({ status: 'success' });
  expect(clock.monotonicMs()).toBeGreaterThan(5_000);
  server.methods['eth_getTransactionReceipt'] = () => null;
  await expect(external.submit(raw)).rejects.toMatchObject({ reason: 'refused' });
  await external.close();
});

test.each([
  ['nonce too low', 'unreachable', '0x0'],
  ['nonce too low', 'refused', '0x1'],
  ['anything at all', 'refused', '0x1'],
  ['intrinsic gas too low', 'refused', '0x0'],
  ['invalid chain id for signer', 'refused', '0x0'],
  ['Transaction gas limit is 30000000 and exceeds transaction gas cap of 16777216', 'refused', '0x0'],
  ['Transaction requires at least 21000 gas but got 20000', 'refused', '0x0'],
  ['max initcode size exceeded', 'refused', '0x0'],
  ['Transaction requires gas floor of 21510 but got limit of 21400', 'refused', '0x0'],
  ['insufficient gas for floor data gas cost: gas 21400, minimum needed 21480', 'refused', '0x0'],
  ['insufficient funds for gas * price + value', 'unfunded', '0x0'],
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

test('effects of other calls in its block are found after the block', async () => {
  server.methods['eth_getTransactionReceipt'] = () => ({ ...receipt, status: '0x0' });
  const asked: string[] = [];
  server.methods['eth_call'] = (_: unknown, block: string) => {
    asked.push(block);
    if (block === '0x7') throw new ScriptedError('execution reverted', 3, '0x1234');
    return '0x';
  };
  expect(await chain.submit(raw)).toMatchObject({ status: 'reverted', data: '0x1234' });
  expect(asked).toEqual(['0x6', '0x7']);
});

test.each([
  ['the states', ['0x6'], 'execution reverted'],
  ['the states', ['0x6', '0x7'], 'The contract refused the call, and the chain does not tell why: missing trie node'],
])('the reason of a revert on a chain without %s of blocks %j is: %s', async (_, pruned, reason) => {
  server.methods['eth_getTransactionReceipt'] = () => ({ ...receipt, status: '0x0' });
  server.methods['eth_call'] = (_call: unknown, block: string) => {
    if (pruned.includes(block)) throw new ScriptedError('missing trie node');
    throw new ScriptedError('execution reverted', 3, '0x1234');
  };
  expect(await chain.submit(raw)).toMatchObject({ status: 'reverted', block: 7, reason });
});

test('a receipt counts when enough blocks have followed its own', async () => {
  await chain.close();
  chain = connectTo(server, { keys, confirmations: 2 });
  let head = 7;
  server.methods['eth_blockNumber'] = () => `0x${(head++).toString(16)}`;
  expect(await chain.submit(raw)).toMatchObject({ status: 'success', block: 7 });
  expect(head).toBe(10);
});

test('a receipt that a reorganisation removes does not count', async () => {
  await chain.close();
  chain = connectTo(server, { keys, confirmations: 2 });
  let asked = 0;
  server.methods['eth_getTransactionReceipt'] = () => ((asked += 1) === 1 ? receipt : null);
  server.methods['eth_blockNumber'] = () => '0x7';
  await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
});

test('a call that is not mined is sent again after a while, in case it was forgotten', async () => {
  let sent = 0;
  server.methods['eth_sendRawTransaction'] = () => {
    sent += 1;
    return `0x${'0'.repeat(64)}`;
  };
  server.methods['eth_getTransactionReceipt'] = () => (sent > 1 ? receipt : null);
  expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
  expect(sent).toBe(2);
});

test('on a chain with slow blocks a call is waited for during ten of them and sent again ever less often', async () => {
  await chain.close();
  const clock = createManualClock();
  chain = connectTo(server, { keys, clock });
  const slowBlock = (block: string) => ({
    number: block,
    hash: `0x${'a'.repeat(64)}`,
    parentHash: `0x${'a'.repeat(64)}`,
    timestamp: `0x${(1_767_225_600 + Number(block) * 30).toString(16)}`,
  });
  for (let count = 0; count < 40; count += 1) server.mine();
  server.methods['eth_getBlockByNumber'] = slowBlock;
  server.methods['eth_getTransactionReceipt'] = () => (clock.monotonicMs() > 240_000 ? receipt : null);
  let sent = 0;
  server.methods['eth_sendRawTransaction'] = () => {
    sent += 1;
    return `0x${'0'.repeat(64)}`;
  };
  const submitted = chain.submit(raw);
  const ticking = setInterval(() => void clock.advance(1_000), 1);
  expect(await submitted).toMatchObject({ status: 'success' });
  clearInterval(ticking);
  // Twice as late each time, at most a minute after the last time.
  expect(sent).toBeGreaterThan(3);
  expect(sent).toBeLessThan(10);
});

test('calls are counted at the head, and with confirmations', async () => {
  await chain.close();
  chain = connectTo(server, { keys, confirmations: 2 });
  server.methods['eth_blockNumber'] = () => '0x9';
  server.methods['eth_getTransactionCount'] = (_: unknown, block: string) => (block === '0x7' ? '0x3' : '0x5');
  const [key = ''] = chain.keys;
  expect([await chain.count(key), await chain.count(key, 'confirmed')]).toEqual([5, 3]);
});

test.each([
  ['insufficient funds for transfer', '1', 'reverted'],
  ["Sender doesn't have enough funds to send tx", '1', 'reverted'],
  ['gas required exceeds allowance (0)', '0', 'reverted'],
])('an estimate that says "%s" for a call with %s wei is %s', async (message, value, status) => {
  server.methods['eth_estimateGas'] = () => {
    throw new ScriptedError(message);
  };
  const estimated = await chain.estimate(chain.keys[0] ?? '', { to: server.contract, data: '0x', value });
  expect(estimated).toEqual({ status, reason: message, data: '0x' });
});

test.each([
  ['insufficient funds for gas', '0', 'unreachable'],
  ['internal error', '1', 'error_response'],
])('an estimate that says "%s" for a call with %s wei does not refuse it', async (message, value, reason) => {
  server.methods['eth_estimateGas'] = () => {
    throw new ScriptedError(message);
  };
  const estimated = chain.estimate(chain.keys[0] ?? '', { to: server.contract, data: '0x', value });
  await expect(estimated).rejects.toMatchObject({ reason });
});

test('an answer that is not a receipt means that the chain cannot be reached', async () => {
  server.methods['eth_getTransactionReceipt'] = () => ({ status: 1 });
  await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
});

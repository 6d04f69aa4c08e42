import { ContractFactory, Interface } from 'ethers';
import { expect, test } from 'vitest';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import {
  aConfig,
  accounts,
  alice,
  artifact,
  blockHashes,
  bob,
  chainId,
  poor,
  type Served,
  serve,
  transfer,
} from '../support.js';

/** Makes an entry of every kind in a journal. */
async function live(served: Served): Promise<void> {
  const send = async (...raws: string[]): Promise<void> => {
    const calls = raws.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }));
    await served.post(JSON.stringify(calls));
  };
  const { data } = await new ContractFactory(artifact.abi, artifact.bytecode).getDeployTransaction('{}');
  await send(await transfer(alice, 0, { to: null, data, gasLimit: 5_000_000n }));
  const contract = (await served.call('eth_getBlockByNumber', 'latest', true)) as { transactions: { hash: string }[] };
  const receipt = await served.call('eth_getTransactionReceipt', contract.transactions[0]?.hash);
  const to = (receipt as { contractAddress: string }).contractAddress;
  const calls = new Interface(artifact.abi);
  const member = calls.encodeFunctionData('addMember', ['alice', alice.address, 'alice', '', `0x${'00'.repeat(32)}`]);
  await send(await transfer(alice, 1, { to, data: member, gasLimit: 1_000_000n }));
  const pin = calls.encodeFunctionData('pinBatch', [
    `0x${'01'.repeat(32)}`,
    `0x${'02'.repeat(32)}`,
    'Qm',
    [`0x${'03'.repeat(32)}`],
  ]);
  // Bob is not a member: this one reverts, in the same block.
  await send(
    await transfer(alice, 2, { to, data: pin }),
    await transfer(bob, 0, { to, data: pin }),
    await transfer(alice, 3),
  );
  await served.call('evm_increaseTime', 3_600);
  await served.call('evm_mine');
  await served.call('evm_setNextBlockTimestamp', Date.parse('2026-12-01T00:00:00Z') / 1_000);
  await send(await transfer(bob, 2), await transfer(bob, 1));
  await served.call('hardhat_mine', '0x5', '0xa');
  await served.call('evm_setAutomine', false);
  await send(await transfer(bob, 3), await transfer(alice, 9));
}

test('a long replay reports its progress every five seconds', async () => {
  const files = createMemoryFiles();
  const first = await serve({ files });
  await live(first);
  await first.stop();

  const told: string[] = [];
  let seconds = Date.parse('2026-12-01T00:00:00Z') / 1_000;
  const again = await serve({ files, nowMs: () => ++seconds * 1_000, tellProgress: (text) => told.push(text) });
  await again.stop();
  const progress = told.map((text) => /^replayed (\d+) % of its journal, up to block (\d+)$/.exec(text));
  expect(again.note).toBe('block 10 (10 replayed)');
  expect(Number(progress.at(-1)?.[2])).toBeLessThanOrEqual(10);
  const shares = progress.map((found) => Number(found?.[1]));
  expect(shares.length).toBeGreaterThan(1);
  expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThanOrEqual(100);
});

test('a restarted chain has the same blocks, waiting transactions and mining mode, and continues', async () => {
  const files = createMemoryFiles();
  const first = await serve({ files });
  await live(first);
  const before = await blockHashes(first);
  expect(before).toHaveLength(11);
  const waiting = await first.call('eth_pendingTransactions');
  expect(waiting).toHaveLength(2);
  await first.stop();
  files.crash();

  const again = await serve({ files });
  expect(await blockHashes(again)).toEqual(before);
  expect(await again.call('eth_pendingTransactions')).toEqual(waiting);
  expect(await again.call('hardhat_getAutomine')).toBe(false);
  await again.call('evm_setAutomine', true);
  expect(await again.call('eth_blockNumber')).toBe(`0x${before.length.toString(16)}`);
  await again.stop();

  const third = await serve({ files });
  expect(await blockHashes(third)).toEqual([...before, expect.any(String)]);
  await third.stop();
});

test('two chains with the same calls have the same hashes', async () => {
  const [first, second] = [await serve(), await serve()];
  await Promise.all([live(first), live(second)]);
  expect(await blockHashes(first)).toEqual(await blockHashes(second));
  await Promise.all([first.stop(), second.stop()]);
});

test('reading changes no later block', async () => {
  const [read, unread] = [await serve(), await serve()];
  await read.call('eth_estimateGas', { from: alice.address, to: bob.address });
  await read.call('eth_call', { from: alice.address, to: bob.address }, 'pending');
  await read.call('eth_getBlockByNumber', 'pending', true);
  await Promise.all([live(read), live(unread)]);
  expect(await blockHashes(read)).toEqual(await blockHashes(unread));
  await Promise.all([read.stop(), unread.stop()]);
});

test.each([
  ['another chain id', aConfig({ chainId: chainId + 1 })],
  ['another genesis time', aConfig({ genesisTime: '2026-01-01T00:00:01Z' })],
  ['other accounts', aConfig({ accounts: [...accounts, { address: poor.address, balance: '1' }] })],
])('a journal is refused under %s and stays as it is', async (_, config) => {
  const files = createMemoryFiles();
  const served = await serve({ files });
  await served.call('evm_mine');
  await served.stop();
  const sizeBytes = await files.size('journal');
  await expect(serve({ files, config })).rejects.toThrow('another chain');
  expect(await files.size('journal')).toBe(sizeBytes);
  await (await serve({ files })).stop();
});

test('a journal whose blocks have other hashes when replayed stops the start and is unchanged', async () => {
  const { createHash } = await import('node:crypto');
  const files = createMemoryFiles();
  const served = await serve({ files });
  await served.call('evm_mine');
  await served.stop();
  const text = await textOf(files);
  // A complete but wrong line, as another version of the engine would write it.
  const altered = text.replace(/^\w+ (\{"turn".*)$/m, (_, entry: string) => {
    const untrue = entry.replace(/"time":\d+/, '"time":1767225601');
    return `${createHash('sha256').update(untrue).digest('hex').slice(0, 16)} ${untrue}`;
  });
  expect(altered).not.toBe(text);
  await files.write('journal', [Buffer.from(altered)]);
  await expect(serve({ files })).rejects.toThrow('the replay produced block 1');
  expect(await textOf(files)).toBe(altered);
});

async function textOf(files: ReturnType<typeof createMemoryFiles>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read('journal')) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const revertible = aConfig({ allowRevert: true });

test('a revert removes blocks after the snapshot permanently; the same calls make the same blocks', async () => {
  const files = createMemoryFiles();
  const served = await serve({ files, config: revertible });
  await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  const before = await blockHashes(served);
  const snapshot = await served.call('evm_snapshot');
  await served.call('eth_sendRawTransaction', await transfer(alice, 1));
  const later = await served.call('evm_snapshot');
  const full = await blockHashes(served);
  expect(await served.call('evm_revert', snapshot)).toBe(true);
  expect(await blockHashes(served)).toEqual(before);
  expect(await served.call('evm_revert', later)).toBe(false);
  expect(await served.call('evm_revert', snapshot)).toBe(false);
  files.crash();
  await served.call('eth_sendRawTransaction', await transfer(alice, 1));
  expect(await blockHashes(served)).toEqual(full);
  await served.stop();
  const again = await serve({ files });
  expect(await blockHashes(again)).toEqual(full);
  await again.stop();
});

test('a start that was killed while it rewrote the journal changed nothing', async () => {
  const files = createMemoryFiles();
  const served = await serve({ files });
  await live(served);
  const before = await blockHashes(served);
  await served.stop();
  const failing = {
    reach: (name: string) => (name === 'chain.mid-replay' ? Promise.reject(new Error('killed')) : Promise.resolve()),
  };
  await expect(serve({ files, failpoint: failing, log: createSilentLog() })).rejects.toThrow('killed');
  files.crash();
  const again = await serve({ files });
  expect(await blockHashes(again)).toEqual(before);
  await again.stop();
});

test('a revert of blocks that nodes have read is refused unless the stack allows it, and so is a reset', async () => {
  const served = await serve();
  await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  const snapshot = await served.call('evm_snapshot');
  expect(await served.call('evm_revert', 99)).toBe(false);
  await served.call('eth_sendRawTransaction', await transfer(alice, 1));
  const before = await blockHashes(served);
  const refused = { cause: { code: -32000, message: expect.stringContaining('stack reset') } };
  await expect(served.call('evm_revert', snapshot)).rejects.toMatchObject(refused);
  await expect(served.call('evm_revert', snapshot)).rejects.toMatchObject({
    cause: { message: expect.stringContaining('chain.allowRevert') },
  });
  await expect(served.call('hardhat_reset')).rejects.toMatchObject(refused);
  expect(await blockHashes(served)).toEqual(before);
  const now = await served.call('evm_snapshot');
  expect(await served.call('evm_revert', now)).toBe(true);
  expect(await blockHashes(served)).toEqual(before);
  await served.stop();
});

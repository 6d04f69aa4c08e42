import { expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createJournal } from '../../../../src/devchain/journal/journal.js';
import { replay } from '../../../../src/devchain/journal/replay.js';
import { type ChainTurns, createChainTurns } from '../../../../src/devchain/mining/turn.js';
import type { Files } from '../../../../src/ports/files.js';
import { aConfig, alice, blockHashes, bob, codeOf, genesis, newChain, serve, todayMs, transfer } from '../support.js';

/** Memory files whose syncs wait while they are held. */
function holdableFiles(): { files: Files; syncs: () => number; hold: () => void; release: () => void } {
  const memory = createMemoryFiles();
  let held = Promise.resolve();
  let release = (): void => undefined;
  let syncs = 0;
  return {
    files: {
      ...memory,
      async sync(name) {
        syncs += 1;
        await held;
        await memory.sync(name);
      },
    },
    syncs: () => syncs,
    hold() {
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
  };
}

test('nothing of a block is visible before its record is on disk', async () => {
  const { files, syncs, hold, release } = holdableFiles();
  const served = await serve({ files });
  const begun = syncs();
  hold();
  let isAnswered = false;
  const sent = served.call('eth_sendRawTransaction', await transfer(alice, 0)).then((hash) => {
    isAnswered = true;
    return hash;
  });
  await eventually(() => expect(syncs()).toBe(begun + 1));
  // The block exists in memory now, and its line is written but not synced.
  let readHead: unknown;
  const read = served.call('eth_getBlockByNumber', 'latest', false).then((block) => (readHead = block));
  const alive: unknown = await (await fetch(`${served.url}/livez`)).json();
  expect(alive).toEqual({ ok: true, block: 0 });
  expect([isAnswered, readHead]).toEqual([false, undefined]);
  release();
  const hash = await sent;
  await read;
  expect(readHead).toMatchObject({ number: '0x1', transactions: [hash] });
  expect(await (await fetch(`${served.url}/livez`)).json()).toEqual({ ok: true, block: 1 });
  await served.stop();
});

test('calls that wait for a turn share the next block and the next sync', async () => {
  const { files, syncs, hold, release } = holdableFiles();
  const served = await serve({ files });
  const begun = syncs();
  hold();
  const first = served.call('eth_sendRawTransaction', await transfer(alice, 0));
  await eventually(() => expect(syncs()).toBe(begun + 1));
  const raws = await Promise.all([1, 2, 3, 4, 5].map((nonce) => transfer(alice, nonce)));
  const batch = raws.map((raw, id) => ({ jsonrpc: '2.0', id, method: 'eth_sendRawTransaction', params: [raw] }));
  const others = served.post(JSON.stringify(batch));
  release();
  await Promise.all([first, others]);
  expect(syncs()).toBe(begun + 2);
  const block = await served.call('eth_getBlockByNumber', '0x2', false);
  expect((block as { transactions: string[] }).transactions).toHaveLength(5);
  await served.stop();
});

/** The turns of a chain on these files, without a server. */
function turnsOn(
  files: Files,
  fail: (error: unknown) => void = (error) => expect.unreachable(String(error)),
): Promise<ChainTurns> {
  const parts = { log: createSilentLog(), failpoint: createArmedFailpoint(undefined) };
  const journal = createJournal({ files, ...parts });
  const mining = { auto: true, intervalMs: 0 };
  const nowMs = (): number => todayMs;
  const onProgress = (): void => undefined;
  return createChainTurns({
    journal,
    openLedger: () => replay({ journal, newChain, genesis, mining, nowMs, onProgress, ...parts }),
    publish: () => Promise.resolve(),
    fail,
    allowRevert: false,
    ...parts,
  });
}

test('calls with long records take several turns, in order, each with a short journal entry', async () => {
  const files = createMemoryFiles();
  const turns = await turnsOn(files);
  const changes = Array.from({ length: 20 }, () =>
    turns.change(async (ledger) => {
      let seconds = 0;
      for (let count = 0; count < 10_000; count += 1) seconds = ledger.increaseTime(1);
      return () => seconds;
    }),
  );
  expect(await Promise.all(changes)).toEqual(changes.map((_, i) => 10_000 * (i + 1)));
  const lengths = await lineLengthsOf(files);
  expect(lengths.length).toBeLessThan(10);
  expect(Math.max(...lengths)).toBeLessThan(5 * 1_024 * 1_024);
  await turns.stop();
  const again = await turnsOn(files);
  expect(await again.change(async (ledger) => () => ledger.increaseTime(0))).toBe(200_000);
  await again.stop();
});

async function lineLengthsOf(files: Files): Promise<number[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read('journal')) chunks.push(chunk);
  const lines = Buffer.concat(chunks).toString().split('\n');
  return lines.map((line) => line.length);
}

test('a batch reads its own earlier calls', async () => {
  const served = await serve();
  const calls = [
    { method: 'eth_getTransactionCount', params: [alice.address, 'latest'] },
    { method: 'eth_sendRawTransaction', params: [await transfer(alice, 0)] },
    { method: 'eth_getTransactionCount', params: [alice.address, 'latest'] },
    { method: 'eth_blockNumber' },
  ];
  const answers = await served.post(JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))));
  expect((answers as { result: string }[]).map(({ result }) => result)).toEqual([
    '0x0',
    expect.any(String),
    '0x1',
    '0x1',
  ]);
  await served.stop();
});

test('reads are served during an endless stream of transactions', async () => {
  const served = await serve();
  let isOver = false;
  const stream = (async () => {
    for (let nonce = 0; !isOver; nonce += 1) await served.call('eth_sendRawTransaction', await transfer(alice, nonce));
  })();
  for (let reads = 0; reads < 30; reads += 1) await served.call('eth_getBalance', bob.address, 'latest');
  isOver = true;
  await stream;
  await served.stop();
});

test.each(['chain.after-mine', 'chain.after-journal-write', 'chain.after-fsync'])(
  'a turn that fails at %s is an error to its callers, leaves no trace, and the next one is as if it had not been',
  async (point) => {
    const [raw, next] = [await transfer(alice, 0), await transfer(bob, 0)];
    // The journal's first entry passes the points of a write too; mining has had no hit yet.
    const hit = point === 'chain.after-mine' ? 2 : 3;
    const served = await serve({ failpoint: createArmedFailpoint(`${point}:${hit}:error`) });
    await served.call('eth_sendRawTransaction', raw);
    const before = await blockHashes(served);
    expect(await codeOf(served.call('eth_sendRawTransaction', next))).toBe(-32603);
    expect(await blockHashes(served)).toEqual(before);
    await served.call('eth_sendRawTransaction', next);
    const after = await blockHashes(served);
    expect(after).toHaveLength(3);
    await served.stop();
    const again = await serve({ files: served.files });
    expect(await blockHashes(again)).toEqual(after);
    await again.stop();
    expect([...served.failures, ...again.failures]).toEqual([]);
  },
);

test('a full disk refuses only transactions, and nothing needs repair once there is space', async () => {
  const memory = createMemoryFiles();
  let isFull = false;
  const append: Files['append'] = async (name, bytes) => {
    await memory.append(name, isFull ? bytes.subarray(0, 10) : bytes);
    if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  const served = await serve({ files: { ...memory, append } });
  await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  isFull = true;
  const refused = served.call('eth_sendRawTransaction', await transfer(alice, 1));
  await expect(refused).rejects.toThrow('The disk is full');
  expect(await codeOf(refused)).toBe(-32603);
  expect(await served.call('eth_blockNumber')).toBe('0x1');
  isFull = false;
  await served.call('eth_sendRawTransaction', await transfer(alice, 1));
  expect(await served.call('eth_blockNumber')).toBe('0x2');
  await served.stop();
});

test('a disk that fails permanently ends the chain, and no caller is told that its call was stored', async () => {
  const memory = createMemoryFiles();
  let isBroken = false;
  const failing = (): Promise<never> => Promise.reject(new Error('input/output error'));
  const served = await serve({
    files: {
      ...memory,
      sync: (name) => (isBroken ? failing() : memory.sync(name)),
      truncate: (name, sizeBytes) => (isBroken ? failing() : memory.truncate(name, sizeBytes)),
    },
  });
  isBroken = true;
  expect(await codeOf(served.call('eth_sendRawTransaction', await transfer(alice, 0)))).toBe(-32603);
  await eventually(() => expect(served.failures).toHaveLength(1));
  expect(await codeOf(served.call('eth_blockNumber'))).toBe(-32603);
  expect(await codeOf(served.call('eth_sendRawTransaction', await transfer(alice, 0)))).toBe(-32603);
  await served.stop();
});

test('a read that waits for a turn which ends the chain sees nothing of it', async () => {
  const memory = createMemoryFiles();
  let answer = (): void => undefined;
  const broken = new Promise<never>((_, reject) => (answer = () => reject(new Error('input/output error'))));
  broken.catch(() => undefined);
  let isBroken = false;
  const files: Files = {
    ...memory,
    sync: (name) => (isBroken ? broken : memory.sync(name)),
    truncate: (name, sizeBytes) => (isBroken ? broken : memory.truncate(name, sizeBytes)),
  };
  const failures: unknown[] = [];
  const turns = await turnsOn(files, (error) => failures.push(error));
  isBroken = true;
  const raw = await transfer(alice, 0);
  const sent = turns.change(async (ledger) => {
    const hash = await ledger.send(raw);
    return () => hash;
  });
  const read = turns.read(async (chain) => chain.head().number);
  answer();
  await Promise.all([sent, read].map((call) => expect(call).rejects.toMatchObject({ code: -32603 })));
  expect(failures).toHaveLength(1);
});

test('with an interval blocks are mined automatically, until it is switched off', async () => {
  const served = await serve({ config: aConfig({ mining: { auto: false, intervalMs: 20 } }) });
  expect(await served.call('parley_mining')).toEqual({ auto: false, intervalMs: 20 });
  const hash = await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  await eventually(async () =>
    expect(await served.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' }),
  );
  await served.call('evm_setIntervalMining', 0);
  const head = await served.call('eth_blockNumber');
  await served.call('eth_sendRawTransaction', await transfer(alice, 1));
  expect(await served.call('eth_blockNumber')).toBe(head);
  expect(await served.call('hardhat_getAutomine')).toBe(false);
  expect(await served.call('parley_mining')).toEqual({ auto: false, intervalMs: 0 });
  await served.stop();
});

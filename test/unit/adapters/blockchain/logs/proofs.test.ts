import { beforeEach, expect, test } from 'vitest';
import { createProofs, type Proofs } from '../../../../../src/adapters/blockchain/logs/proofs.js';
import { createManualClock, type ManualClock } from '../../../../../src/adapters/clock/manual.js';

const log = { transactionHash: 'aa', position: { block: 7, transactionIndex: 1 } };
let clock: ManualClock;
let ended: AbortController;
let proofs: Proofs;

beforeEach(() => {
  clock = createManualClock();
  ended = new AbortController();
  proofs = createProofs(clock, ended.signal);
});

test('a log that is read proves its transaction to all waiting callers', async () => {
  proofs.begin();
  const waits = [proofs.wait('aa'), proofs.wait('aa')];
  proofs.seen([{ transactionHash: 'bb', position: { block: 6, transactionIndex: 0 } }, log]);
  expect(await Promise.all(waits)).toEqual([log.position, log.position]);
});

test('a caller without proof asks when everything is read', async () => {
  proofs.begin();
  const wait = proofs.wait('aa');
  proofs.seen([]);
  proofs.caughtUp();
  expect(await wait).toBeUndefined();
});

test('a caller does not wait if there is no reader', async () => {
  expect(await proofs.wait('aa')).toBeUndefined();
  const end = proofs.begin();
  const wait = proofs.wait('aa');
  end();
  expect(await wait).toBeUndefined();
  expect(await proofs.wait('aa')).toBeUndefined();
});

test('a caller asks after two seconds, even if nothing is read', async () => {
  proofs.begin();
  const wait = proofs.wait('aa');
  await clock.advance(1_000);
  await clock.advance(1_000);
  expect(await wait).toBeUndefined();
});

test('closing the connection ends all waits', async () => {
  proofs.begin();
  const wait = proofs.wait('aa');
  ended.abort();
  expect(await wait).toBeUndefined();
});

import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMemoryLedger, type MemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { aPin } from '../../../../compliance/blockchain/follower.js';

const alice = `0x${'a'.repeat(40)}`;
const bob = `0x${'b'.repeat(40)}`;
const member = { organization: 'alice', key: alice, node: 'node1', endpoint: '', publicKeyHash: '1'.repeat(64) };
let ledger: MemoryLedger;

beforeEach(() => {
  ledger = createMemoryLedger({ clock: createManualClock() });
  ledger.addMember(member);
});

test('the ledger is unchanged for a node that restarts', async () => {
  const first = ledger.connect({ keys: [alice] });
  const { raw } = await first.sign(alice, 0, aPin());
  const receipt = await first.submit(raw);
  await first.close();
  const second = ledger.connect({ keys: [alice] });
  expect(await second.submit(raw)).toEqual(receipt);
  expect(await second.count(alice)).toBe(1);
});

test('the same calls at the same times make the same chain', async () => {
  const other = createMemoryLedger({ clock: createManualClock() });
  other.addMember(member);
  for (const each of [ledger, other]) each.call(alice, aPin());
  expect(other.logs()).toEqual(ledger.logs());
});

test('a watch needs no timers: a pin is handed over in microtasks', async () => {
  const stopped = new AbortController();
  let pages = 0;
  const watch = ledger.connect({ keys: [] }).watch({
    after: undefined,
    selection: () => ({ revision: 0, sources: [] }),
    handler: async () => {
      pages += 1;
      return 'taken';
    },
    signal: stopped.signal,
  });
  ledger.call(alice, aPin());
  for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
  expect(pages).toBe(2);
  stopped.abort();
  await watch;
});

test('block times follow the clock, and never go back', () => {
  const clock = createManualClock();
  const timed = createMemoryLedger({ clock });
  clock.jump(5_000);
  timed.addMember(member);
  clock.jump(-86_400_000);
  timed.call(alice, aPin());
  const times = timed.logs().map(({ time }) => time);
  expect(times.slice(1)).toEqual(['2026-01-15T10:00:05.000Z', '2026-01-15T10:00:05.000Z']);
});

test('a call of a member’s key outside its node uses the key’s next nonce', async () => {
  expect(ledger.call(alice, aPin())).toMatchObject({ status: 'success' });
  expect(await ledger.connect({ keys: [] }).count(alice)).toBe(1);
  expect(ledger.call(bob, aPin())).toMatchObject({ status: 'reverted', reason: `NotRegistered(${bob})` });
});

test('a call ahead of its nonce waits for earlier ones', async () => {
  const node = ledger.connect({ keys: [alice] });
  const { raw } = await node.sign(alice, 1, aPin());
  const receipts = [node.submit(raw), node.submit(raw)];
  expect(await node.count(alice)).toBe(0);
  ledger.call(alice, aPin());
  expect(await Promise.all(receipts)).toMatchObject([{ status: 'success', block: 3 }, { block: 3 }]);
  expect(await node.count(alice)).toBe(2);
});

test('the given number of replies is lost', async () => {
  const node = ledger.connect({ keys: [alice] });
  const { raw } = await node.sign(alice, 0, aPin());
  ledger.loseReplies(2);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(node.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
  }
  expect(await node.submit(raw)).toMatchObject({ status: 'success', block: 2 });
});

test('removed calls can be mined again', async () => {
  const node = ledger.connect({ keys: [alice] });
  const { raw } = await node.sign(alice, 0, aPin());
  await node.submit(raw);
  ledger.rewind(1);
  expect(await node.count(alice)).toBe(0);
  expect(await node.submit(raw)).toMatchObject({ status: 'success', block: 2 });
});

describe('the rules of the contract', () => {
  const other = { ...member, organization: 'bob', key: bob, node: 'node2', publicKeyHash: '2'.repeat(64) };

  test.each([
    ['KeyTaken', { key: alice }],
    ['KeyIsZero', { key: `0x${'0'.repeat(40)}` }],
    ['NameTaken', { organization: 'alice' }],
    ['NameTaken', { node: 'node1' }],
    ['NameInvalid', { organization: 'a/b' }],
    ['NameInvalid', { node: '-' }],
    ['PublicKeyTaken', { publicKeyHash: member.publicKeyHash }],
    ['TooLong', { endpoint: 'x'.repeat(257) }],
  ])('%s: a member with %o is not taken', (error, changes) => {
    expect(() => ledger.addMember({ ...other, ...changes })).toThrow(error);
    expect(ledger.logs()).toHaveLength(2);
    ledger.addMember(other);
  });

  test('members add keys and change their nodes', () => {
    ledger.addKey({ organization: 'alice', name: 'shop', key: bob });
    ledger.setNode({ organization: 'alice', endpoint: 'https://x', publicKeyHash: '3'.repeat(64) });
    expect(ledger.logs().map(({ type }) => type)).toEqual([
      'network_created',
      'member_added',
      'key_added',
      'node_changed',
    ]);
    expect(ledger.call(bob, aPin())).toMatchObject({ status: 'success' });
    expect(() => ledger.addKey({ organization: 'nobody', name: 'x', key: `0x${'c'.repeat(40)}` })).toThrow('NotMember');
  });

  test('a pin has 1 to 2,000 contexts and a short reference', () => {
    expect(ledger.call(alice, aPin({ contexts: [] }))).toMatchObject({ reason: 'NoContexts()' });
    const contexts = Array.from({ length: 2_001 }, () => '0'.repeat(64));
    expect(ledger.call(alice, aPin({ contexts }))).toMatchObject({ reason: 'TooManyContexts(2001, 2000)' });
    expect(ledger.call(alice, aPin({ payloadRef: 'ü'.repeat(65) }))).toMatchObject({ reason: 'TooLong(130, 128)' });
  });

  test('its limits are those of Network.sol', () => {
    const source = readFileSync(new URL('../../../../../contracts/Network.sol', import.meta.url), 'utf8');
    for (const limit of [
      'maxContexts = 2_000',
      'maxEndpointBytes = 256',
      'maxPayloadRefBytes = 128',
      'maxNameBytes = 64',
    ]) {
      expect(source).toContain(`${limit};`);
    }
  });
});

import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { findMasked, maskedKey } from '../../../../../src/pipeline/state/messages/masked.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';

const [alice, mallory] = ['did:parley:org/alice', 'did:parley:org/mallory'];

function pin(identity: string, context: string, spent = false): NewRow<'pins'> {
  const place = { batch: 'b', batchHash: 'h', signer: 'k', index: (count += 1), block: 1, created: '' };
  return { namespace: 'svc_system', context, masked: true, identity, spent, ...place };
}
let count = 0;

async function search(pins: readonly NewRow<'pins'>[], isUnspent = false) {
  const database = createMemoryDatabase();
  await database.transaction((unit) => unit.insert('pins', pins));
  const wanted = ['x', 'y'].map((hash) => ({ identity: alice, hash }));
  const found = await findMasked(database, wanted, { isUnspent });
  return wanted.map((each) => found.get(maskedKey(each))?.sequence);
}

test('finds the earliest pin of a value by the member it stands for', async () => {
  expect(await search([pin(mallory, 'x'), pin(alice, 'x'), pin(alice, 'x'), pin(alice, 'z')])).toEqual([2, undefined]);
});

test('finds a spent pin unless unspent ones are asked for', async () => {
  const pins = [pin(alice, 'x', true), pin(alice, 'x')];
  expect(await search(pins)).toEqual([1, undefined]);
  expect(await search(pins, true)).toEqual([2, undefined]);
});

test('finds a pin behind thousands of pins by others with its value, or by its member with other values', async () => {
  const copies = Array.from({ length: 2_500 }, () => pin(mallory, 'x'));
  const own = Array.from({ length: 2_500 }, () => pin(alice, 'y'));
  const pins = [...copies, ...own, pin(alice, 'x')];
  expect(await search(pins)).toEqual([5_001, 2_501]);
});

test('finds the pins of two members behind many copies that each made of the other', async () => {
  const database = createMemoryDatabase();
  const copies = Array.from({ length: 1_500 }, (_, i) => pin(i % 2 === 0 ? alice : mallory, i % 2 === 0 ? 'm' : 'a'));
  await database.transaction((unit) => unit.insert('pins', [...copies, pin(alice, 'a'), pin(mallory, 'm')]));
  const wanted = [
    { identity: alice, hash: 'a' },
    { identity: mallory, hash: 'm' },
  ];
  const found = await findMasked(database, wanted, { isUnspent: true });
  expect(wanted.map((each) => found.get(maskedKey(each))?.sequence)).toEqual([1_501, 1_502]);
});

import { describe, expect, test } from 'vitest';
import { createHeaders, type Header } from '../../../../../src/adapters/blockchain/logs/header.js';

/** Block `number` of a branch, whose parent is on the same branch or on the one that it left. */
function header(number: number, branch = 'a', parentBranch = branch): Header {
  const [hash, parentHash] = [`${branch}${number}`, `${parentBranch}${number - 1}`];
  return { number, hash, parentHash, time: '2026-01-01T00:00:00.000Z' };
}

const cursor = { block: 1, blockHash: 'a1' };

describe('The headers of the latest blocks', () => {
  test('link a block to a known one, parent by parent', () => {
    const headers = createHeaders();
    for (const number of [2, 3, 4]) headers.add(header(number));
    expect(headers.connects(cursor, 4)).toBe(true);
    expect(headers.connects({ block: 1, blockHash: 'b1' }, 4)).toBe(false);
  });

  test('drop replaced blocks when only the newest of the new ones is announced', () => {
    const headers = createHeaders();
    for (const number of [2, 3, 4]) headers.add(header(number));
    // 3 and 4 were replaced; a reader that polls gets only 5.
    headers.add(header(5, 'b'));
    expect(headers.at(4)).toBeUndefined();
    expect(headers.at(3)).toBeUndefined();
    expect(headers.connects(cursor, 3)).toBe(false);
    expect(headers.at(5)?.hash).toBe('b5');
  });

  test('drop everything before a gap, since it may have been replaced', () => {
    const headers = createHeaders();
    for (const number of [2, 3]) headers.add(header(number));
    headers.add(header(7));
    expect(headers.at(3)).toBeUndefined();
    headers.add(header(8));
    expect(headers.connects({ block: 6, blockHash: 'a6' }, 8)).toBe(true);
  });

  test('keep the block from which a shorter branch grows', () => {
    const headers = createHeaders();
    for (const number of [2, 3, 4]) headers.add(header(number));
    headers.add(header(4, 'b', 'a'));
    expect(headers.at(4)?.hash).toBe('b4');
    expect(headers.connects(cursor, 4)).toBe(true);
  });
});

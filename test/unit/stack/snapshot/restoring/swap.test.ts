import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Layout } from '../../../../../src/stack/layout.js';
import {
  finishRestore,
  forgetFormer,
  makeStaged,
  readSwap,
  type Swap,
  swappedNames,
  swapState,
  undoSwap,
} from '../../../../../src/stack/snapshot/restoring/swap.js';
import { aLayout, aPlace } from '../../fixtures/place.js';

/** Writes the entries of a state, each with this text. */
function writeState(directory: string, text: string, names: readonly string[] = swappedNames): void {
  for (const name of names) {
    if (name === 'data') {
      mkdirSync(join(directory, name), { recursive: true });
      writeFileSync(join(directory, name, 'journal'), text);
    } else writeFileSync(join(directory, name), text);
  }
}

function stateOf(directory: string): Record<string, string> {
  const present = swappedNames.filter((name) => existsSync(join(directory, name)));
  const read = (name: string) => readFileSync(join(directory, name, ...(name === 'data' ? ['journal'] : [])), 'utf8');
  return Object.fromEntries(present.map((name) => [name, read(name)]));
}

const all = (text: string) => Object.fromEntries(swappedNames.map((name) => [name, text]));

async function aStack(newNames?: readonly string[]): Promise<{ layout: Layout; staged: string }> {
  const layout = aLayout(aPlace());
  mkdirSync(layout.directory, { recursive: true });
  writeState(layout.directory, 'old');
  const staged = await makeStaged(layout);
  writeState(staged, 'new', newNames);
  return { layout, staged };
}

describe('A swap of states', () => {
  test('puts the new state in place and keeps the old one until it is deleted', async () => {
    const { layout, staged } = await aStack();
    const swap = await swapState(layout, staged, 'before');
    expect(stateOf(layout.directory)).toEqual(all('new'));
    expect(stateOf(join(layout.directory, swap.former))).toEqual(all('old'));
    await forgetFormer(layout);
    expect(readdirSync(layout.directory).toSorted()).toEqual([...swappedNames].toSorted());
  });

  test('can be undone, and leaves no other files', async () => {
    const { layout, staged } = await aStack();
    await undoSwap(layout, await swapState(layout, staged, 'before'));
    expect(stateOf(layout.directory)).toEqual(all('old'));
    expect(readdirSync(layout.directory).toSorted()).toEqual([...swappedNames].toSorted());
  });

  test('cannot be undone when the old state is deleted', async () => {
    const { layout, staged } = await aStack();
    const swap = await swapState(layout, staged, 'before');
    await forgetFormer(layout);
    await undoSwap(layout, swap);
    expect(stateOf(layout.directory)).toEqual(all('new'));
  });

  test('without its record cannot be undone, and the next command deletes the old state', async () => {
    const { layout, staged } = await aStack();
    const swap = await swapState(layout, staged, 'before');
    // A command was killed after it had deleted the record and before it deleted the old state.
    rmSync(join(layout.directory, 'restore.json'));
    await undoSwap(layout, swap);
    expect(stateOf(layout.directory)).toEqual(all('new'));
    await forgetFormer(layout);
    expect(readdirSync(layout.directory).toSorted()).toEqual([...swappedNames].toSorted());
  });

  test('removes entries that the new state does not have', async () => {
    const { layout, staged } = await aStack(['data', 'genesis.json']);
    const swap = await swapState(layout, staged, 'before');
    expect(stateOf(layout.directory)).toEqual({ data: 'new', 'genesis.json': 'new' });
    await undoSwap(layout, swap);
    expect(stateOf(layout.directory)).toEqual(all('old'));
  });

  test('is not finished if an entry of the new state is missing', async () => {
    const { layout, staged } = await aStack();
    const swap = await swapState(layout, staged, 'before');
    writeFileSync(join(layout.directory, 'restore.json'), JSON.stringify({ ...swap, isInPlace: false }));
    rmSync(join(layout.directory, 'genesis.json'));
    await expect(finishRestore(layout)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      details: { name: 'genesis.json', former: join(layout.directory, swap.former) },
    });
    expect(await readSwap(layout)).toMatchObject({ isInPlace: false });
  });

  // There are two moves for each entry: the old one out, the new one in.
  test.each(Array.from({ length: 2 * swappedNames.length + 1 }, (_, steps) => steps))(
    'that was killed after %d moves is finished by the next command',
    async (steps) => {
      const { layout, staged } = await aStack();
      const former = '.former-0123456789ab';
      const swap: Swap = {
        version: 1,
        snapshot: 'before',
        staged: staged.slice(layout.directory.length + 1),
        former,
        has: [...swappedNames],
        isInPlace: false,
      };
      mkdirSync(join(layout.directory, former));
      writeFileSync(join(layout.directory, 'restore.json'), JSON.stringify(swap));
      const moves = swappedNames.flatMap((name) => {
        const here = join(layout.directory, name);
        return [[here, join(layout.directory, former, name)] as const, [join(staged, name), here] as const];
      });
      for (const [from, to] of moves.slice(0, steps)) renameSync(from, to);
      await finishRestore(layout);
      expect(stateOf(layout.directory)).toEqual(all('new'));
      expect(stateOf(join(layout.directory, former))).toEqual(all('old'));
      expect(await readSwap(layout)).toMatchObject({ isInPlace: true });
    },
  );
});

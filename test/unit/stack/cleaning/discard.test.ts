import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discardState, finishDiscard } from '../../../../src/stack/cleaning/discard.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { aLayout, aPlace } from '../fixtures/place.js';

const networkFiles = ['contracts.json', 'contracts.pending.json', 'genesis.json', 'applied.json', 'applied.yaml'];

/** A stack that has run: the state of its network, and files that are not. */
function aStack(): Layout {
  const layout = aLayout(aPlace());
  makeState(layout);
  for (const name of ['stack.yaml', 'ports.json']) writeFileSync(join(layout.directory, name), '');
  return layout;
}

function makeState({ directory, data }: Layout): void {
  mkdirSync(join(data, 'chain'), { recursive: true });
  for (const name of networkFiles) writeFileSync(join(directory, name), '{}');
}

/** As SIGKILL leaves it behind the first step. */
function beginDiscard({ directory, data }: Layout): void {
  renameSync(data, join(directory, '.trash-0123456789ab'));
}

describe('the state of a network that is discarded', () => {
  test('goes with all that speaks of it, and the rest stays', async () => {
    const layout = aStack();
    await discardState(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
    await discardState(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
  });

  test.each([
    ['the next start', finishDiscard],
    ['the next reset', discardState],
  ])('is gone as a whole after %s where the command was killed', async (_, goOn) => {
    const layout = aStack();
    beginDiscard(layout);
    await goOn(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
  });

  test('leaves a network alone that has been made since', async () => {
    const layout = aStack();
    beginDiscard(layout);
    makeState(layout);
    await finishDiscard(layout);
    expect(existsSync(layout.chainData)).toBe(true);
    expect(networkFiles.filter((name) => existsSync(join(layout.directory, name)))).toEqual(networkFiles);
    expect(readdirSync(layout.directory).filter((name) => name.startsWith('.trash-'))).toEqual([]);
  });

  test('leaves a stack alone where nothing was begun', async () => {
    const layout = aStack();
    const before = readdirSync(layout.directory);
    await finishDiscard(layout);
    expect(readdirSync(layout.directory)).toEqual(before);
  });
});

import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discardState, finishDiscard } from '../../../../src/stack/cleaning/discard.js';
import type { Layout } from '../../../../src/stack/layout.js';
import { aLayout, aPlace } from '../fixtures/place.js';

const networkFiles = ['contracts.json', 'contracts.pending.json', 'genesis.json', 'applied.json', 'applied.yaml'];

/** A stack that has run, with the state of its network and two other files. */
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

/** The files after SIGKILL between the first step of a discard and the second. */
function beginDiscard({ directory, data }: Layout): void {
  renameSync(data, join(directory, '.trash-0123456789ab'));
}

describe('discarding the state of a network', () => {
  test('removes the data and the files about the network, and keeps the others', async () => {
    const layout = aStack();
    await discardState(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
    await discardState(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
  });

  test.each([
    ['the next start', finishDiscard],
    ['the next reset', discardState],
  ])('is completed by %s if the command was killed', async (_, resume) => {
    const layout = aStack();
    beginDiscard(layout);
    await resume(layout);
    expect(readdirSync(layout.directory).sort()).toEqual(['ports.json', 'stack.yaml']);
  });

  test('keeps a network that was created after a killed discard', async () => {
    const layout = aStack();
    beginDiscard(layout);
    makeState(layout);
    await finishDiscard(layout);
    expect(existsSync(layout.chainData)).toBe(true);
    expect(networkFiles.filter((name) => existsSync(join(layout.directory, name)))).toEqual(networkFiles);
    expect(readdirSync(layout.directory).filter((name) => name.startsWith('.trash-'))).toEqual([]);
  });

  test('changes nothing at a start if no discard was killed', async () => {
    const layout = aStack();
    const before = readdirSync(layout.directory);
    await finishDiscard(layout);
    expect(readdirSync(layout.directory)).toEqual(before);
  });
});

import { beforeAll, expect, test } from 'vitest';
import { compileContracts, readArtifact, writeArtifacts } from '../contracts/build.js';

// UPDATE_CONTRACTS=1 vitest run test/contracts.test.ts writes the artifacts after a change of the sources.
const updates = process.env['UPDATE_CONTRACTS'] === '1';

beforeAll(async () => {
  if (updates) await writeArtifacts();
}, 60_000);

test('the committed artifacts are what the sources compile to, byte for byte', async () => {
  const compiled = await compileContracts();
  expect([...compiled.keys()]).toEqual(['Network.json']);
  for (const [file, text] of compiled) expect(text, file).toBe(await readArtifact(file));
}, 60_000);

test('a deployed contract fits into the size that every chain accepts', async () => {
  for (const text of (await compileContracts()).values()) {
    const { deployedBytecode } = JSON.parse(text) as { deployedBytecode: string };
    expect((deployedBytecode.length - 2) / 2).toBeLessThan(24_576);
  }
}, 60_000);

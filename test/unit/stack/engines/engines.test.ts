import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { findEngine } from '../../../../src/stack/engines/engines.js';
import { parseStackFile } from '../../../../src/stack/definition/stack-file.js';
import { aPlace } from '../fixtures/place.js';

const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
const inPackage = `node_modules/@foundry-rs/anvil-${platform}/bin/anvil`;

function settingsWith(provider: string) {
  const text = `apiVersion: stack/v1\nname: dev\nparties: [alice]\nchain: {provider: ${provider}}\n`;
  return parseStackFile(text, 'stack.yaml');
}

async function aProgram(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '', { mode: 0o755 });
  return path;
}

test('Anvil is found on PATH, else in PARLEY_ENGINES, else in the cache of the user', async () => {
  const { home } = aPlace();
  const path = join(home, 'bin');
  const [cache, folder] = [join(home, '.cache/parley/engines'), join(home, 'engines')];
  const find = (environment: Record<string, string>) => findEngine(settingsWith('anvil'), { environment });
  await expect(find({ HOME: home })).rejects.toMatchObject({ code: 'ENGINE_MISSING', exitCode: 9 });
  const cached = await aProgram(join(cache, 'anvil-1.9.0', inPackage));
  expect(await find({ HOME: home })).toBe(cached);
  const newer = await aProgram(join(cache, 'anvil-1.10.0', inPackage));
  expect(await find({ HOME: home })).toBe(newer);
  const named = await aProgram(join(folder, 'anvil', inPackage));
  expect(await find({ HOME: home, PARLEY_ENGINES: folder })).toBe(named);
  const own = await aProgram(join(path, 'anvil'));
  expect(await find({ HOME: home, PARLEY_ENGINES: folder, PATH: `/nowhere:${path}` })).toBe(own);
});

test('The built-in chain needs no program', async () => {
  expect(await findEngine(settingsWith('hardhat'), { environment: {} })).toBeUndefined();
});

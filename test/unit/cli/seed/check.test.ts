import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@oclif/core/config';
import { expect, it, onTestFinished } from 'vitest';
import { applySeeds } from '../../../../src/cli/seed/seed.js';
import { memoryOutput } from '../memory-output.js';
import { startPlainNode } from '../plain-node.js';

const root = new URL('../../../../', import.meta.url).pathname;
const config = await Config.load(root);

it.each([
  ['broadcast: {}', 'A payload is missing.'],
  ['broadcast: {payload: 1, datatype: "x y z"}', 'A datatype must be like name@version'],
  ['broadcast: {payload: 1, timeout: soon}', '--timeout must be a duration'],
  ['send: {payload: 1}', 'The recipients are missing'],
  ['mint: {amount: some, pool: coins}', '"some" is not an amount.'],
  ['transfer: {amount: 1, to: bob, message-to: bob}', 'The message is missing.'],
  ['burn: {amount: 1.5}', '"1.5" is not an amount.'],
  ['pool create: {name: coins, type: fungible, config: [address]}', '--config'],
  ['datatype define: {file: schema.json}', 'The name of the datatype is missing.'],
])('a step that cannot be right is refused before anything is sent: %s', async (step, said) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-seed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const [first, second] = ['first', 'second'].map((name) => join(directory, `${name}.yaml`)) as [string, string];
  writeFileSync(join(directory, 'schema.json'), '{}');
  writeFileSync(first, '- {party: alice, broadcast: {payload: 1}}\n');
  writeFileSync(second, `- {party: alice, broadcast: {payload: 2}}\n- {party: alice, ${step}}\n`);
  const node = await startPlainNode(() => undefined);
  onTestFinished(() => node.stop());
  const flags = { files: [first, second], url: node.url, party: 'alice', 'dry-run': false };
  const { output } = memoryOutput();
  const applied = applySeeds(flags, { output, environment: {}, program: 'stack', config });
  const message = expect.stringContaining(said) as string;
  await expect(applied).rejects.toMatchObject({ code: 'USAGE', message });
  await expect(applied).rejects.toThrow(`${second}:2:3`);
  expect(node.came).toEqual([]);
});

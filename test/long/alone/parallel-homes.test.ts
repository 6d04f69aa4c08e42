import { afterAll, expect, test } from 'vitest';
import { createCli } from '../../e2e/fixtures/cli.js';

/** Separate homes, as those of two users or of two jobs on one machine. */
const homes = Array.from({ length: 4 }, () => createCli());

afterAll(async () => {
  for (const cli of homes) {
    await cli.run(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  }
});

test('Stacks of several homes that are started at once are all healthy and share no port', async () => {
  for (const cli of homes) expect(await cli.run(['init', 'dev', '-t', 'minimal', '-q'])).toMatchObject({ code: 0 });
  const ended = await Promise.all(homes.map((cli) => cli.run(['start', 'dev', '-q', '--timeout', '5m'])));
  expect(ended.map(({ code, err }) => (code === 0 ? '' : err)).filter((text) => text !== '')).toEqual([]);
  const ports = await Promise.all(homes.map(async (cli) => (await cli.run(['port', 'chain', '-s', 'dev'])).out.trim()));
  expect(new Set(ports).size).toBe(homes.length);
});

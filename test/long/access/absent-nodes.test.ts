import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createCli, programFile } from '../../e2e/fixtures/cli.js';
import { byCommand } from '../../e2e/fixtures/stack-cli.js';

const cli = createCli();

/** Returns the output of a command that must succeed. */
async function ok(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await cli.run(words);
  if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}: ${out}${err}`);
  return out.trimEnd();
}

beforeAll(async () => {
  const settings = ['--set', 'auth.enabled=true', '--port-base', await freePortBase()];
  await ok('init', 'dev', '-n', 'alice,bob', '-y', ...settings, '-q');
  await ok('start', '-q');
});
afterAll(async () => {
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

describe('A node with auth that is not running when a command begins', () => {
  test('gets its token from a tail once it is back', async () => {
    await ok('party', 'stop', 'bob', '-q');
    const tail = cli.shell('stack events tail --all-parties --tag back --count 2 -v');
    await expect.poll(tail.err).toContain('no connection to bob');
    await expect.poll(tail.err).toContain('following alice');
    await ok('party', 'start', 'bob', '-q');
    await ok('broadcast', '"back"', '--tag', 'back', '--wait', 'all', '-q');
    const ended = await tail.ended;
    expect([ended.code, ended.err]).toEqual([0, expect.stringContaining('following bob')]);
  });

  test('gets its token once it answers, if its user runs it', async () => {
    const id = await ok('broadcast', '"earlier"', '--wait', 'all', '-q');
    await ok('stop', '-q');
    await ok('start', '--external', 'bob', '-q');
    const get = ['messages', 'get', id, '-p', 'bob'];
    expect((await cli.run(get)).code).toBe(4);
    const config = join(cli.directory, 'home', 'stacks', 'dev', 'data', 'nodes', 'bob', 'node.json');
    const program = programFile.replace('run.js', 'node.js');
    const node = cli.shell(`exec '${process.execPath}' '${program}' '${config}' </dev/null`);
    try {
      await expect.poll(async () => (await cli.run(get)).code, byCommand).toBe(0);
    } finally {
      node.child.kill();
      await node.ended;
    }
  });
});

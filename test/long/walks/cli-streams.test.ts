import { existsSync } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../../src/cli/errors/exit.js';
import { quote } from '../../../src/client/curl.js';
import { programFile } from '../../e2e/fixtures/cli.js';
import { type EndingCommand, everyCommand } from '../../e2e/fixtures/every-command.js';
import { createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';
import { noSmallDisk, openSmallDisk } from '../../support/small-disk.js';

/** Runs every command once in each of the environments without a terminal. */
const cli = createStackCli('minimal');
beforeAll(cli.start);
afterAll(cli.remove);

const commands = await everyCommand();
const documented = Object.values(exitCodes).filter((code) => code !== exitCodes.FAILURE);
/** A command that has not ended by then follows something: give it words that end it. */
const limitMs = 60_000;

describe.each([
  ['stdout closed', '<&- >&-', true],
  ['stdout on a full disk', '<&- >/dev/full', existsSync('/dev/full')],
])('With stdin and the terminal gone, and %s,', (_, streams, isPossible) => {
  test.runIf(isPossible)('every command exits with a documented code, and none reports a defect', async () => {
    expect(await wrongEnds(cli, streams)).toEqual([]);
    // Otherwise the commands after it would have been tried without a stack.
    expect(await cli.okJson('status', 'dev')).not.toMatchObject({ state: 'stopped' });
  });
});

test('On a full disk every command exits with a documented code, and none reports a defect', async ({ skip }) => {
  const disk = await openSmallDisk(128 * 1_024);
  if (disk === undefined) return skip(noSmallDisk);
  const full = createStackCli('minimal', {
    home: join(disk.directory, 'home'),
    words: ['--set', 'limits.minFreeDisk=8388608'],
  });
  onTestFinished(async () => {
    await full.remove();
    await disk.remove();
  });
  await full.start();
  const { bavail, bsize } = await statfs(disk.directory);
  await writeFile(join(disk.directory, 'filler'), Buffer.alloc(bavail * bsize - 65_536));
  expect(await wrongEnds(full, '<&-')).toEqual([]);
});

/** Commands that run last and in sequence: next to a paused chain, others wait for their limits. */
const lastIds = ['chain:pause', 'chain:resume'];

/** Returns each command that has not ended as it should, with its result. */
async function wrongEnds(where: StackCli, streams: string): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  const work = async (left: EndingCommand[]) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const said = await endOf(where, next.words, streams);
      if (said !== undefined) wrong.push([next.words.join(' '), said]);
    }
  };
  const others = commands.filter(({ id }) => !lastIds.includes(id));
  await Promise.all(Array.from({ length: 4 }, () => work(others)));
  await work(commands.filter(({ id }) => lastIds.includes(id)));
  return wrong;
}

/** Returns the fault in a command's result; undefined if there is none. */
async function endOf(where: StackCli, words: readonly string[], streams: string): Promise<unknown> {
  const running = where.shell(`exec ${[process.execPath, programFile, ...words].map(quote).join(' ')} ${streams}`, {
    environment: { NO_COLOR: '1' },
  });
  const timer = setTimeout(() => running.child.kill('SIGKILL'), limitMs);
  const { code, err } = await running.ended;
  clearTimeout(timer);
  if (code === null) return `has not ended within ${limitMs} ms`;
  const isDefect = /defect|Internal error/.test(err) || /^ +at .*:\d+:\d+/m.test(err) || err.includes('\u001b');
  return documented.some((each) => each === code) && !isDefect ? undefined : { code, err };
}

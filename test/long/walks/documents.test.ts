import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createCli, programFile } from '../../e2e/fixtures/cli.js';
import { comparable, isFollowing, type ShellBlock, shellBlocks } from '../../e2e/fixtures/shell-blocks.js';

/**
 * The shell blocks of the README, typed verbatim and in order in one shell, in a project that has nothing but its own
 * test, on a machine without any stack. `stack` is the built program, and `init` gets ports that no other test has.
 */
const cli = createCli();
const directory = join(cli.directory, 'reader');
const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
const blocks = shellBlocks(readme);

/** The project's test: it sends a request to the node's address. */
const projectTest = 'curl --fail --silent "$STACK_ALICE_URL/livez"';

/** `npm` commands run this suite itself, or what it has installed. */
const isOfNpm = (command: string) => /^npm /.test(command);

let shell: Shell;
beforeAll(async () => {
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), JSON.stringify({ scripts: { test: projectTest } }));
  shell = await openShell();
});
afterAll(async () => {
  await shell.close();
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

describe('The README', () => {
  test('has shell blocks, and every one except those for npm is typed below', () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.filter(({ commands }) => commands.every(isOfNpm)).map(({ title }) => title)).toEqual([
      'Sixty seconds, 1',
      'Installation, 1',
      'Working on it, 1',
    ]);
  });

  describe.each(blocks.filter(({ commands }) => !commands.every(isOfNpm)))('$title', (block) => {
    test('works as printed', async () => {
      const outputs = await typed(block);
      if (block.shown !== undefined) expect(comparable(outputs.at(-1) ?? '')).toBe(comparable(block.shown));
    });
  });
});

async function typed({ commands }: ShellBlock): Promise<string[]> {
  const outputs: string[] = [];
  for (const command of commands) {
    const { code, out, err } = isFollowing(command) ? await shell.follow(command) : await shell.run(command);
    expect(`${command}\n  exited with ${code}\n${code === 0 || code === 130 ? '' : out + err}`).toBe(
      `${command}\n  exited with ${isFollowing(command) ? 130 : 0}\n`,
    );
    outputs.push(out);
  }
  return outputs;
}

interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Shell {
  /** Types a command and waits until it has ended. */
  run(command: string): Promise<Typed>;
  /** Types a command, waits until it shows what another shell sends meanwhile, and interrupts it. */
  follow(command: string): Promise<Typed>;
  close(): Promise<void>;
}

async function openShell(): Promise<Shell> {
  const bin = join(directory, '..', 'bin');
  await mkdir(bin);
  const base = Number(await freePortBase());
  // A test's hundred ports hold two stacks: a stack of three parties uses the beginning, the tens and the fifties.
  await writeFile(
    join(bin, 'stack'),
    `#!/bin/sh
[ "$1" = init ] || exec '${process.execPath}' '${programFile}' "$@"
shift
base=${base}
[ "$1" = dev ] || base=${base + 20}
exec '${process.execPath}' '${programFile}' init "$@" --port-base $base
`,
  );
  await chmod(join(bin, 'stack'), 0o755);
  const environment = { ...cli.environment, PATH: `${bin}:${cli.environment['PATH'] ?? ''}` };
  const child = spawn('/bin/sh', [], { cwd: directory, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  let count = 0;

  /** Returns the output of both streams up to the mark, and the exit code before it. */
  async function marked(mark: string): Promise<Typed> {
    await expect.poll(() => out.text().includes(mark) && err.text().includes(mark)).toBe(true);
    const [said = '', code = ''] = out.take(mark).split(/\n?<code (\d+)>/);
    return { code: Number(code), out: said, err: err.take(mark) };
  }
  const end = (mark: string) => `printf '\\n<code %s>${mark}' $?; printf '%s' '${mark}' >&2\n`;
  return {
    run(command) {
      const mark = `<end ${++count}>`;
      child.stdin.write(`{ ${command}\n} </dev/null\n${end(mark)}`);
      return marked(mark);
    },
    async follow(command) {
      const mark = `<end ${++count}>`;
      child.stdin.write(`{ exec ${command}\n} </dev/null &\n`);
      await expect
        .poll(async () => {
          await cli.run(['broadcast', '{"order":20}', '--topic', 'orders', '--tag', 'order', '-q']);
          return out.text().trim();
        })
        .not.toBe('');
      child.stdin.write(`kill -INT $!; wait $!\n${end(mark)}`);
      return marked(mark);
    },
    close: () => closed(child),
  };
}

function collect(stream: NodeJS.ReadableStream): { text(): string; take(mark: string): string } {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text += chunk));
  return {
    text: () => text,
    take(mark) {
      const [before = '', ...behind] = text.split(mark);
      text = behind.join(mark);
      return before;
    },
  };
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => {
      resolve();
    });
    child.stdin?.end();
  });
}

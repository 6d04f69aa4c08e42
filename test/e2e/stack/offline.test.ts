import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { createCli, programFile } from '../fixtures/cli.js';

const cli = createCli();
afterAll(async () => {
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** The life of a stack, typed in one shell with a new home. */
const life = `
set -e
stack() { '${process.execPath}' '${programFile}' "$@"; }
ip link set lo up
stack init -q && stack start -q
stack start --json
stack broadcast 1 --wait all --timeout 1m -q
stack run -t ci -- sh -c 'exit 7' || echo "ended with $?"
stack remove --all --yes -q
ls -A "$STACK_HOME/stacks" "$STACK_HOME/ephemeral"
`;

describe.skipIf(!isRoot)('Without any network but loopback (needs root, for a network namespace)', () => {
  test('two commands create a working network, and one removes it', async () => {
    const options = { cwd: cli.directory, env: cli.environment };
    const { stdout } = await promisify(execFile)('unshare', ['--net', '/bin/sh', '-c', life], options);
    expect(stdout).toMatch(/^dev\ndev\n\{.*"state":"running".*"alreadyRunning":true/);
    expect(stdout).toMatch(/\n[0-9a-f-]{36}\nended with 7\n/);
    expect(stdout).toMatch(/(\S+\/(stacks|ephemeral):\n+){2}$/);
  });
});

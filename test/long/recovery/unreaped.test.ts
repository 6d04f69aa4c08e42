import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { createCli, programFile } from '../../e2e/fixtures/cli.js';

const cli = createCli();
afterAll(() => cli.remove());

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const first = fileURLToPath(new URL('../../e2e/fixtures/reaps-nothing.mjs', import.meta.url));

/** The life of a stack, typed in one shell; `state NAME` prints the letter of a process's state. */
const life = `
set -e
node() { '${process.execPath}' "$@"; }
stack() { node '${programFile}' "$@"; }
json() { node -p "const value = JSON.parse(fs.readFileSync(0)); $1"; }
pid() { stack status --json | json "value.services.find(({ name }) => name === '$1').pid"; }
state() { node -p 'fs.readFileSync("/proc/'$1'/stat", "utf8").split(") ")[1][0]'; }
killed() { kill -9 "$1"; until [ "$(state "$1")" = Z ]; do :; done; }

stack init dev -t minimal --port-base "$PORT_BASE" -q
stack start -q
id=$(stack broadcast before --wait all -q)
supervisor=$(json value.identity.pid < "$STACK_HOME/stacks/dev/run/state.json")
bob=$(pid bob)
killed "$supervisor"
stack start -q
[ "$(state "$supervisor")" = Z ]
[ "$(pid bob)" != "$bob" ]
stack messages data "$id" -p bob -q
kill -9 "$(pid chain)"
stack broadcast after --wait all --timeout 1m -q >/dev/null
stack stop -q
stack list --json
stack run -t minimal --no-smoke -- sh -c 'exit 7' || echo "ended with $?"
stack remove dev --yes -q
ls "$STACK_HOME/stacks" "$STACK_HOME/ephemeral"
`;

describe.skipIf(!isRoot)('If the first process reaps nothing (needs root, for a process namespace)', () => {
  test('a stack recovers, stops and is removed, although ended processes stay as zombies', async () => {
    const namespace = ['--pid', '--fork', '--mount-proc', '--kill-child=KILL'];
    const child = spawn('unshare', [...namespace, process.execPath, first, life], {
      cwd: cli.directory,
      env: { ...cli.environment, PORT_BASE: await freePortBase() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => texts.push(text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    const said = texts.join('');
    expect([code, said]).toEqual([0, expect.stringContaining('"before"\n')]);
    expect(said).toMatch(/"name":"dev","state":"stopped"/);
    expect(said).toContain('ended with 7\n');
    expect(said.trimEnd()).toMatch(/ephemeral:\n*.*stacks:$|stacks:\n*.*ephemeral:$/s);
  });
});

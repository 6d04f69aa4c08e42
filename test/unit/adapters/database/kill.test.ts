import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKnexDatabase } from '../../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { compiled } from '../../../support/compiled.js';
import { all } from '../../../compliance/database/rows.js';

const databaseModule = compiled('src/adapters/database/knex.ts');
const logModule = compiled('src/adapters/log/silent.ts');
const children: ChildProcess[] = [];
let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'database-'));
  file = join(directory, 'node.sqlite');
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(directory, { recursive: true });
});

it('a killed process leaves everything that it has acknowledged, only whole units, and no lock', async () => {
  const acknowledged: number[] = [];
  for (const count of [1, 40, 150, 300]) {
    const child = startWriter();
    let left = count;
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      acknowledged.push(Number(line));
      if ((left -= 1) === 0) child.kill('SIGKILL');
    }
    expect(left).toBeLessThanOrEqual(0);
    await kill(child);

    const database = await createKnexDatabase({ file, log: createSilentLog() });
    const due = await database.rows('due', {}, all);
    const contexts = new Set(due.map(({ context }) => context));
    expect(acknowledged.filter((unit) => !contexts.has(`${unit} first`))).toEqual([]);
    const halves = [...contexts].filter((context) => !contexts.has(otherHalf(context)));
    expect(halves).toEqual([]);
    expect(due.map(({ sequence }) => sequence)).toEqual(due.map((_, i) => i + 1));
    await database.close();
  }
});

it('a second process is refused while the first one is alive', async () => {
  const child = startWriter();
  await once(child.stdout ?? child, 'data');
  await expect(createKnexDatabase({ file, log: createSilentLog() })).rejects.toThrow('in use by another process');
  await kill(child);
  await (await createKnexDatabase({ file, log: createSilentLog() })).close();
});

/** Commits units of two rows without end, several at once, and prints the number of each when it is on disk. */
function startWriter(): ChildProcess {
  const code = `
    import { createKnexDatabase } from ${JSON.stringify(databaseModule)};
    import { createSilentLog } from ${JSON.stringify(logModule)};
    const database = await createKnexDatabase({ file: ${JSON.stringify(file)}, log: createSilentLog() });
    let unit = await database.count('due', {});
    async function write() {
      for (;;) {
        const own = (unit += 1);
        await database.transaction(async (inner) => {
          await inner.insert('due', [{ namespace: 'svc_system', context: own + ' first' }]);
          if (own % 5 === 0) await inner.count('due', {});
          await inner.insert('due', [{ namespace: 'svc_system', context: own + ' second' }]);
        });
        process.stdout.write(own + '\\n');
      }
    }
    await Promise.all(Array.from({ length: 8 }, write));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function otherHalf(context: string): string {
  return context.endsWith('first') ? context.replace('first', 'second') : context.replace('second', 'first');
}

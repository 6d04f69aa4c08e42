import { readFile } from 'node:fs/promises';
import { onInputEnd, tellParent } from '../../http/program.js';

/** Values that tasks get from their program. */
export interface TaskParts {
  /** Recorded with the network when it is created. */
  readonly networkLimits: unknown;
}

/** A one-shot task of a stack: from the text of its configuration to its result. */
type Task = (configText: string, parts: TaskParts) => Promise<Record<string, unknown>>;

const tasks: Readonly<Record<string, () => Promise<Task>>> = {
  contracts: async () => (await import('./contracts.js')).ensureContracts,
  smoke: async () => (await import('./smoke.js')).smoke,
  pools: async () => (await import('./pools.js')).ensurePools,
};

/**
 * Runs one task with a configuration file, reports the result to the supervisor, and exits: with 0 on success, 1 on
 * failure, and at once when the supervisor is gone.
 */
export async function main(name: string | undefined, configFile: string | undefined, parts: TaskParts): Promise<void> {
  onInputEnd(() => process.exit(1));
  try {
    const load = Object.hasOwn(tasks, name ?? '') ? tasks[name ?? ''] : undefined;
    if (load === undefined || configFile === undefined) {
      throw new Error(`Expected a task (${Object.keys(tasks).join(', ')}) and the path of its configuration.`);
    }
    const [run, text] = await Promise.all([load(), readFile(configFile, 'utf8')]);
    const value = await run(text, parts);
    log('info', 'Done', { result: value });
    await tellParent({ type: 'result', value });
    process.exit(0);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log('error', 'Failed', { error: error instanceof Error ? error.stack : message });
    await tellParent({ type: 'failed', message });
    process.exit(1);
  }

  function log(level: string, msg: string, fields: Readonly<Record<string, unknown>>): void {
    process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), name, ...fields, msg })}\n`);
  }
}

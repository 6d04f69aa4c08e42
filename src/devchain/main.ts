import { createArmedFailpoint } from '../adapters/failpoint/armed.js';
import { createDiskFiles } from '../adapters/files/disk.js';
import { acquireLock } from '../adapters/files/lock.js';
import { createPinoLog, type LogLevel } from '../adapters/log/pino.js';
import { armedFailpoints, keepFreedPages } from '../http/config.js';
import { type Running, runProgram } from '../http/program.js';
import type { Log } from '../ports/log.js';
import { createAnvilEngine } from './engine/anvil.js';
import { loadChains } from './engine/chain.js';
import { type ChainConfig, readConfig } from './config.js';
import { startDevChain } from './devchain.js';

/** Runs the chain as a process, with the configuration file at `path`. */
export async function main(path: string | undefined): Promise<void> {
  const reading = readConfig(path);
  // `runProgram` reports a configuration error, and needs a log for that.
  const level = await reading.then(
    (config) => config.logLevel,
    (): LogLevel => 'info',
  );
  const log = createPinoLog({ name: 'chain', level });
  await runProgram({
    name: 'chain',
    log,
    start: async (_signal, { tellProgress }) => start(await reading, log, tellProgress),
  });
}

async function start(config: ChainConfig, log: Log, tellProgress: (text: string) => void): Promise<Running> {
  const failpoints = armedFailpoints();
  if (failpoints !== undefined) log.warn('Failpoints are armed', { failpoints });
  const release = await acquireLock(config.dataDirectory);
  keepFreedPages();
  // An uncaught error ends the process; the supervisor restarts the chain from its journal.
  const fail = (error: unknown): void => {
    setImmediate(() => {
      throw error;
    });
  };
  const anvil =
    config.anvil === undefined
      ? undefined
      : createAnvilEngine({ program: config.anvil, directory: config.dataDirectory, fail });
  const running = await startDevChain({
    config,
    files: createDiskFiles({ root: config.dataDirectory }),
    newChain: anvil?.newChain ?? (await loadChains()),
    nowMs: () => Date.now(),
    log,
    failpoint: createArmedFailpoint(failpoints),
    tellProgress,
    fail,
  });
  return {
    ...running,
    async stop() {
      await running.stop();
      await anvil?.stop();
      await release();
    },
  };
}

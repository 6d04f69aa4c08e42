import { createPinoLog } from '../adapters/log/pino.js';
import { runProgram } from '../http/program.js';
import { ChainError } from '../ports/blockchain.js';
import { readNodeConfig } from './config.js';
import { startNode } from './node.js';

/** Runs one party's node as a process, with the configuration file at `path`. */
export async function main(path: string | undefined): Promise<void> {
  const reading = path === undefined ? Promise.reject(new Error('Usage: node.js CONFIG')) : readNodeConfig(path);
  // A configuration error must be logged, too, and be reported by the running program.
  const settings = await reading.then(
    ({ node, log }) => ({ name: node, level: log.level ?? ('info' as const) }),
    () => ({ name: 'node', level: 'info' as const }),
  );
  const log = createPinoLog(settings);
  await runProgram({
    name: 'node',
    log,
    start: async (signal, { endForGood }) => {
      const onFatal = (error: Error): void => {
        const isForeign = error instanceof ChainError && error.reason === 'other_chain';
        if (isForeign) endForGood(error);
        else endProcess(error);
      };
      return startNode({ config: await reading, log, signal, onFatal });
    },
  });
}

/** Throws an uncaught error, which ends the process with its message in the log; nothing is written afterwards. */
function endProcess(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}

import { createPinoLog } from '../adapters/log/pino.js';
import { runProgram } from '../http/program.js';
import { ChainError } from '../ports/blockchain.js';
import { readNodeConfig } from './config.js';
import { startNode } from './node.js';

/** One party's node as a process of its own, with the configuration file at `path`. */
export async function main(path: string | undefined): Promise<void> {
  const reading = path === undefined ? Promise.reject(new Error('Usage: node.js CONFIG')) : readNodeConfig(path);
  // A configuration that cannot be read is told in the log too, and from inside the program's life.
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

/** Uncaught it ends the process with its message in the log; nothing is written any more. */
function endProcess(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}

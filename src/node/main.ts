import { createPinoLog } from '../adapters/log/pino.js';
import { runProgram } from '../http/program.js';
import { ChainError } from '../ports/blockchain.js';
import { type NodeConfig, readNodeConfig } from './config.js';
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
    start: async (signal, { endPermanently, tellProgress }) => {
      const config = await reading;
      const onFatal = (error: Error): void => {
        if (isForeign(error)) endPermanently(withRemedy(error, config));
        else endProcess(error);
      };
      return startNode({ config, log, signal, onFatal, tellProgress }).catch((error: unknown) => {
        if (!isForeign(error)) throw error;
        endPermanently(withRemedy(error, config));
        return new Promise<never>(() => undefined);
      });
    },
  });
}

function isForeign(error: unknown): error is ChainError {
  return error instanceof ChainError && error.reason === 'other_chain';
}

/** Adds the command that repairs the situation, if there is one. */
function withRemedy(error: ChainError, { stackView, organization }: NodeConfig): Error {
  if (!error.isReorganised) return error;
  const command = `stack node rebuild ${stackView?.service ?? organization}`;
  return new Error(`${error.message} To read its history again: ${command}`, { cause: error });
}

/** Throws an uncaught error, which ends the process with its text in the log; nothing is written afterwards. */
function endProcess(error: Error): void {
  queueMicrotask(() => {
    throw error;
  });
}

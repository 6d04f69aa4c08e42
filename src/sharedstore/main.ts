import { createPinoLog, type LogLevel } from '../adapters/log/pino.js';
import { armedFailpoints } from '../http/config.js';
import { runProgram } from '../http/program.js';
import { readConfig } from './config.js';
import { startStore } from './store.js';

/** Runs the store as a process, with the configuration file at `path`. */
export async function main(path: string | undefined): Promise<void> {
  const reading = readConfig(path);
  // `runProgram` reports a configuration error, and needs a log for that.
  const level = await reading.then(
    (config) => config.logLevel,
    (): LogLevel => 'info',
  );
  const log = createPinoLog({ name: 'store', level });
  const failpoints = armedFailpoints();
  if (failpoints !== undefined) log.warn('Failpoints are armed', { failpoints });
  await runProgram({
    name: 'store',
    log,
    start: async () => startStore({ config: await reading, log, failpoints }),
  });
}

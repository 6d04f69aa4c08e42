import { destination, type Logger, pino, stdSerializers } from 'pino';
import type { Log, LogFields } from '../../ports/log.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface PinoLogOptions {
  /** The program or party, such as `store` or `alice`. */
  readonly name: string;
  /** The least important level that is written. */
  readonly level: LogLevel;
  /** Receives each line; default: standard output, written synchronously, so that an exit loses no entry. */
  readonly output?: { write(line: string): void };
}

/**
 * Creates a log with one JSON object per line: `{"level","time","name",…fields,"msg"}`. Errors among the fields are
 * written with their stack.
 */
export function createPinoLog({ name, level, output = standardOutput() }: PinoLogOptions): Log {
  const logger = pino(
    {
      level,
      base: { name },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: withErrors },
    },
    output,
  );
  return onLogger(logger);
}

function onLogger(logger: Logger): Log {
  return {
    debug: (sentence, fields = {}) => logger.debug(fields, sentence),
    info: (sentence, fields = {}) => logger.info(fields, sentence),
    warn: (sentence, fields = {}) => logger.warn(fields, sentence),
    error: (sentence, fields = {}) => logger.error(fields, sentence),
    child: (fields) => onLogger(logger.child(withErrors(fields))),
  };
}

function withErrors(fields: LogFields): Record<string, unknown> {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      value instanceof Error ? { ...stdSerializers.err(value), message: messageOf(value) } : value,
    ]),
  );
}

/** The message, followed by those of the causes that it does not repeat. */
function messageOf({ message, cause }: Error): string {
  const inner = cause instanceof Error ? messageOf(cause) : '';
  return message.includes(inner) ? message : `${message}: ${inner}`;
}

function standardOutput(): { write(line: string): void } {
  const output = destination({ dest: 1, sync: true });
  output.on('error', (cause: Error & { code?: string }) => {
    // The reader of the output is gone. Standard input closes at the same time, which stops the program in order.
    if (cause.code !== 'EPIPE') throw cause;
  });
  return output;
}

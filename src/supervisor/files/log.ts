import type { Log, LogFields } from '../../ports/log.js';
import type { Logs } from './logs.js';

/** Creates the supervisor's own log, a file beside those of its services. Debug entries are dropped. */
export function createOwnLog(logs: Logs, now: () => string, bound: LogFields = {}): Log {
  const write = (level: string, sentence: string, fields: LogFields = {}): void => {
    const texts = Object.entries(fields).map(([key, value]): [string, unknown] => {
      return [key, value instanceof Error ? value.stack : value];
    });
    const record = { level, time: now(), name: 'supervisor', ...bound, ...Object.fromEntries(texts), msg: sentence };
    logs.write('supervisor', JSON.stringify(record), 'stdout');
  };
  return {
    debug: () => undefined,
    info: (sentence, fields) => {
      write('info', sentence, fields);
    },
    warn: (sentence, fields) => {
      write('warn', sentence, fields);
    },
    error: (sentence, fields) => {
      write('error', sentence, fields);
    },
    child: (fields) => createOwnLog(logs, now, { ...bound, ...fields }),
  };
}

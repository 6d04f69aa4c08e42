import { readTails } from '../supervisor/logs.js';
import { connectControl } from './control.js';
import { StackError } from './error.js';
import type { Stack } from './locate.js';

export interface LogRecord {
  readonly service: string;
  /** One NDJSON record. */
  readonly line: string;
}

export interface LogOptions {
  /** None = all services and the supervisor. */
  readonly services: readonly string[];
  /** The last records of each service to begin with. */
  readonly lines: number;
  /** Go on with every further record, until the signal is aborted or the stack ends. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * The log records of a stack, from its files, so also when it is stopped: the past in the order of its times, and what
 * is followed as it happens.
 *
 * @throws StackError SERVICE_NOT_FOUND
 */
export async function* stackLogs(stack: Stack, options: LogOptions): AsyncGenerator<LogRecord> {
  const { layout } = stack;
  const known = logNames(stack);
  const missing = options.services.find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new StackError('SERVICE_NOT_FOUND', `The stack has no service ${missing}.`, {
      hint: `There are ${known.join(', ')}.`,
    });
  }
  const control = options.follow ? await connectControl(layout) : undefined;
  if (control !== undefined) {
    yield* control.logs(options, options.signal);
    return;
  }
  yield* readTails(layout.logs, options.services.length === 0 ? known : options.services, options.lines);
}

/** What has a log: the supervisor, the services, the tasks. */
export function logNames(stack: Stack): string[] {
  return ['supervisor', 'chain', 'store', 'contracts', 'smoke', ...stack.settings.parties.map(({ name }) => name)];
}

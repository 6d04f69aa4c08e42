import { type LogFilter, readTails } from '../supervisor/files/logs.js';
import { nearestHint } from '../wire/lists/query.js';
import { connectControl } from './control/control.js';
import { StackError } from './error.js';
import type { Stack } from './places/locate.js';
import { taskNames } from './running/plan.js';

export interface LogRecord {
  readonly service: string;
  /** One NDJSON record. */
  readonly line: string;
}

export interface LogOptions {
  /** Empty = all services and the supervisor. */
  readonly services: readonly string[];
  /** The number of past records of each service that the filter selects. */
  readonly lines: number;
  readonly filter?: LogFilter | undefined;
  /** Whether to continue with further records, until the signal is aborted or the stack ends. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields the log records of a stack from its files, even if it is stopped: past ones by time, followed ones as they
 * happen.
 *
 * @throws StackError SERVICE_NOT_FOUND; PROTOCOL_MISMATCH if the supervisor of an earlier version cannot follow logs
 */
export async function* stackLogs(stack: Stack, options: LogOptions): AsyncGenerator<LogRecord> {
  const { layout } = stack;
  const known = logNames(stack);
  // A name given twice yields each record once.
  const services = [...new Set(options.services)];
  const missing = services.find((name) => !known.includes(name));
  if (missing !== undefined) {
    throw new StackError('SERVICE_NOT_FOUND', `The stack has no service "${missing}"${nearestHint(missing, known)}`, {
      details: { name: missing },
    });
  }
  const { lines, filter } = options;
  const control = options.follow ? await connectControl(layout) : undefined;
  if (control === undefined) {
    yield* readTails(layout.logs, services.length === 0 ? known : services, lines, filter);
    return;
  }
  let hasEnds = false;
  for await (const event of control.logs(services, options.signal)) {
    if ('ends' in event) {
      hasEnds = true;
      yield* readTails(layout.logs, event.ends, lines, filter);
    } else if (filter?.isWanted(event.line) !== false) yield event;
  }
  // The supervisor of an earlier version answers with an empty stream. One that has ended just now sends none either.
  if (hasEnds || options.signal.aborted || (await connectControl(layout)) === undefined) return;
  throw new StackError('PROTOCOL_MISMATCH', `The supervisor of ${stack.name} runs a version that cannot follow logs.`, {
    hint: 'Restart the stack: stack restart',
  });
}

/** The names with a log: the supervisor, the services, the tasks. */
export function logNames(stack: Stack): string[] {
  const parties = stack.settings.parties.map(({ name }) => name);
  return ['supervisor', 'chain', 'store', ...Object.values(taskNames), ...parties];
}

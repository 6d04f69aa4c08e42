import type { logsFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import type { Stack } from '../../../stack/places/locate.js';
import { type LogRecord, stackLogs } from '../../../stack/logs.js';
import { CliError, exitCodes } from '../../errors/exit.js';
import { withMember } from '../../requests/json-text.js';
import { logLine, type LogEntry, readEntry } from './log-line.js';
import type { Output } from '../../terminal/output.js';
import { watchReader } from '../../terminal/reader.js';
import { openRunningStack, type CommandContext } from '../../requests/target.js';
import { timeWord } from '../../terminal/time-word.js';
import { textOf } from '../../../wire/json/json.js';

export type LogsFlags = FlagsOf<typeof logsFlags> & {
  readonly services: readonly string[];
};

type FilterFlags = Pick<FlagsOf<typeof logsFlags>, 'since' | 'until' | 'level' | 'grep' | 'message' | 'request'> & {
  readonly invert?: boolean | undefined;
};

const levels = ['debug', 'info', 'warn', 'error'] as const;

/** `stack logs`. @throws CliError USAGE; StackError SERVICE_NOT_FOUND */
export async function showLogs(flags: LogsFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const isWanted = filterOf(flags);
  const stack = await openRunningStack(flags, context);
  const done = new AbortController();
  const stopWatching = watchReader(() => process.exit(exitCodes.OK));
  const { services, lines, follow } = flags;
  const print = createLogPrinter(stack, output, !flags['no-prefix']);
  try {
    let count = 0;
    const filter = { isWanted: (line: string) => isWanted(parsedLine(line)), since: sinceOf(flags) };
    for await (const record of stackLogs(stack, { services, lines, follow, filter, signal: done.signal })) {
      count++;
      await print(record);
    }
    const hint = flags.message === undefined ? flags.request && requestHint : messageHint;
    if (count === 0 && hint !== undefined && !output.isJson) await output.note(hint);
  } finally {
    done.abort();
    stopWatching();
  }
}

/**
 * Creates a printer of log records: as JSON with `--json`, otherwise as lines, optionally prefixed with the service.
 */
export function createLogPrinter(
  { settings }: Stack,
  output: Output,
  hasPrefix: boolean,
): (record: LogRecord) => Promise<void> {
  const prefixWidth = hasPrefix ? Math.max(...settings.parties.map(({ name }) => name.length), 10) : 0;
  return async ({ service, line }) => {
    const entry = readEntry(line);
    if (!output.isJson) await output.line(logLine({ service, line, entry }, prefixWidth, output.out));
    else if (entry === undefined) await output.record(textOf({ service, msg: line }));
    else await output.record(withMember(line, 'service', textOf(service)));
  };
}

const messageHint =
  'No record names this message. Nodes log single messages at level debug: set logs.level to debug in stack.yaml, ' +
  'restart the stack and send again.';

const requestHint =
  'No record of this request. Nodes log only requests that fail with an internal error. The id is in the error ' +
  'and in the header X-FireFly-Request-ID.';

interface ParsedLine {
  readonly line: string;
  readonly entry: LogEntry | undefined;
}

/** A line that is parsed on first use of `entry`. */
function parsedLine(line: string): ParsedLine {
  return {
    line,
    get entry() {
      return readEntry(line);
    },
  };
}

function sinceOf({ since }: FilterFlags): string | undefined {
  return since === undefined ? undefined : timeWord(since, '--since', Date.now());
}

/** Creates the filter of records. @throws CliError USAGE */
export function filterOf(flags: FilterFlags): (record: ParsedLine) => boolean {
  const since = sinceOf(flags) ?? '';
  const until = flags.until === undefined ? undefined : timeWord(flags.until, '--until', Date.now());
  const pattern = flags.grep === undefined ? undefined : expressionOf(flags.grep);
  const isInverted = flags.invert === true;
  const lowest = flags.level === undefined ? 0 : levels.indexOf(flags.level);
  return (found) => {
    const { line } = found;
    if (flags.message !== undefined && !line.includes(flags.message.toLowerCase())) return false;
    if (flags.request !== undefined && !line.includes(textOf(flags.request))) return false;
    if (pattern !== undefined && pattern.test(line) === isInverted) return false;
    if (since === '' && until === undefined && lowest === 0) return true;
    const { entry } = found;
    const time = entry?.time ?? '';
    if (time < since || (until !== undefined && time > until)) return false;
    return lowest === 0 || levels.findIndex((level) => level === entry?.level) >= lowest;
  };
}

function expressionOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new CliError('USAGE', `--grep is not a regular expression: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

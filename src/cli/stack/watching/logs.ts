import type { Stack } from '../../../stack/places/locate.js';
import { type LogRecord, stackLogs } from '../../../stack/logs.js';
import { CliError, exitCodes } from '../../errors/exit.js';
import { withMember } from '../../requests/json-text.js';
import { logLine, type LogEntry, readEntry } from './log-line.js';
import type { Output } from '../../terminal/output.js';
import { watchReader } from '../../terminal/reader.js';
import { openStack, type Surroundings } from '../../requests/target.js';
import { timeWord } from '../../terminal/time-word.js';
import { textOf } from '../../../wire/json/json.js';

export interface LogsWords {
  readonly stack?: string | undefined;
  readonly services: readonly string[];
  readonly follow: boolean;
  readonly lines: number;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly level?: LogLevel | undefined;
  readonly grep?: string | undefined;
  readonly invert?: boolean | undefined;
  readonly message?: string | undefined;
  readonly request?: string | undefined;
  readonly 'no-prefix': boolean;
}

type FilterWords = Pick<LogsWords, 'since' | 'until' | 'level' | 'grep' | 'invert' | 'message' | 'request'>;

const levels = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof levels)[number];

/** `stack logs`. @throws CliError USAGE; StackError SERVICE_NOT_FOUND */
export async function showLogs(words: LogsWords, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const isWanted = filterOf(words);
  const stack = await openStack(words, surroundings);
  const done = new AbortController();
  const stopWatching = watchReader(() => process.exit(exitCodes.OK));
  const { services, lines, follow } = words;
  const print = createLogPrinter(stack, output, !words['no-prefix']);
  try {
    let count = 0;
    for await (const { service, line } of stackLogs(stack, { services, lines, follow, signal: done.signal })) {
      const record = { service, line, entry: readEntry(line) };
      if (!isWanted(record)) continue;
      count++;
      await print(record);
    }
    const hint = words.message === undefined ? words.request && requestHint : messageHint;
    if (count === 0 && hint !== undefined && !output.isJson) await output.note(hint);
  } finally {
    done.abort();
    stopWatching();
  }
}

/**
 * Creates the printer of records: unchanged with `--json`, otherwise as lines, optionally prefixed with the service.
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
  'No record is of this request. Nodes log only requests that fail through a fault of their own; its id is in the ' +
  'error and in the header X-FireFly-Request-ID.';

interface Found {
  readonly service: string;
  readonly line: string;
  readonly entry: LogEntry | undefined;
}

/** Creates the filter of records. @throws CliError USAGE */
export function filterOf(words: FilterWords): (record: Found) => boolean {
  const since = words.since === undefined ? '' : timeWord(words.since, '--since', Date.now());
  const until = words.until === undefined ? undefined : timeWord(words.until, '--until', Date.now());
  const pattern = words.grep === undefined ? undefined : expressionOf(words.grep);
  const isInverted = words.invert === true;
  const lowest = words.level === undefined ? 0 : levels.indexOf(words.level);
  return ({ line, entry }) => {
    const time = entry?.time ?? '';
    if (time < since || (until !== undefined && time > until)) return false;
    if (lowest > 0 && levels.findIndex((level) => level === entry?.level) < lowest) return false;
    if (words.message !== undefined && !line.includes(words.message.toLowerCase())) return false;
    if (words.request !== undefined && !line.includes(textOf(words.request))) return false;
    return pattern === undefined || pattern.test(line) !== isInverted;
  };
}

function expressionOf(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new CliError('USAGE', `--grep is no regular expression: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

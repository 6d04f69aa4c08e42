import { randomUUID } from 'node:crypto';
import { indentJson } from '../wire/json-indent.js';
import { safeJson, safeLines } from './text.js';

/** The part of a process's stream that is written to. */
export interface Sink {
  write(bytes: string | Uint8Array, done: (error?: Error | null) => void): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
}
export type Environment = Readonly<Record<string, string | undefined>>;

const styles = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const;
export type Style = keyof typeof styles;

/** What separates the lines of a JSON answer from those of a person's, decided from the words typed. */
export interface OutputModes {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly hasColor: boolean;
}

/** One of the two streams a command writes to. */
export interface Channel {
  readonly isTerminal: boolean;
  readonly width: number;
  /** The text in this style, for this module to write; as it is where no escape may be written. */
  paint(style: Style, text: string): string;
  /**
   * Writes and waits until it is handed to the reader, so that nothing is lost when the process ends. On a terminal all
   * control characters but line breaks and tabs are escaped, whoever they come from.
   */
  write(text: string | Uint8Array): Promise<void>;
}

export interface Output extends OutputModes {
  readonly out: Channel;
  readonly err: Channel;
  /** Whether lines on stderr may be drawn over. */
  readonly isAnimated: boolean;
  /** A line of the answer, to stdout. */
  line(text: string): Promise<void>;
  /** A JSON text as the answer, to stdout: spread over lines on a terminal, else as it is. */
  json(text: string): Promise<void>;
  /** A JSON text as one line of an answer that has many, to stdout. */
  record(text: string): Promise<void>;
  /** What the command has to say beside its answer, to stderr; not with `--quiet`. */
  note(text: string): Promise<void>;
  /** Draws these lines on stderr over those drawn last; an empty list erases them. Only where `isAnimated`. */
  draw(lines: readonly string[]): Promise<void>;
}

/** Begins a mark that stands for a style until it is written. No text from elsewhere can have it: it is chance. */
const seal = `\u001b${randomUUID()};`;
const marks = new RegExp(`${seal}(\\d+)m`, 'g');

/**
 * The two streams of a command: nothing in the command line writes but this module. So it is also the only one that
 * writes escape sequences: none when `NO_COLOR` is set, `TERM=dumb`, `--no-color`, `CI=true` or the stream is no
 * terminal; `FORCE_COLOR` overrides all but the flag (cli.md, 3.3). What is written to a terminal can do nothing there
 * but show (cli.md, 3.5): any other control character is escaped, in JSON so that the value stays the same.
 */
export function createOutput(options: {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Environment;
  readonly modes: OutputModes;
}): Output {
  const { environment, modes } = options;
  const stdout = createWriter(options.stdout);
  const stderr = createWriter(options.stderr);
  const out = createChannel(options.stdout, stdout.write(modes.isJson ? safeJson : safeLines), environment, modes);
  const err = createChannel(options.stderr, stderr.write(safeLines), environment, modes);
  const writeJson = stdout.write(safeJson);
  const isAnimated = err.isTerminal && mayEscape(options.stderr, environment, modes);
  let drawn = 0;
  return {
    ...modes,
    out,
    err,
    isAnimated,
    line: (text) => out.write(`${text}\n`),
    json: (text) => writeJson(`${out.isTerminal ? indentJson(text) : text}\n`),
    record: (text) => writeJson(`${text}\n`),
    async note(text) {
      if (!modes.isQuiet) await err.write(`${text}\n`);
    },
    async draw(lines) {
      if (drawn > 0) await stderr.raw(`\u001b[${drawn}A\u001b[J`);
      await err.write(lines.map((line) => `${line}\n`).join(''));
      drawn = lines.length;
    },
  };
}

/**
 * The modes that the words of a command ask for; read before anything is parsed, so that a parse error obeys them too.
 */
export function modesFrom(argv: readonly string[]): OutputModes {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return {
    isJson: words.includes('--json'),
    isQuiet: words.includes('-q') || words.includes('--quiet'),
    isVerbose: words.includes('-v') || words.includes('--verbose'),
    hasColor: !words.includes('--no-color'),
  };
}

type Escape = (text: string) => string;

/** The one place that hands bytes to a stream. */
function createWriter(stream: Sink) {
  const decoder = new TextDecoder();
  const raw = (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (error === undefined || error === null) resolve();
        else reject(error);
      });
    });
  return {
    raw,
    write: (escape: Escape) => (text: string | Uint8Array) => {
      if (stream.isTTY === true) {
        const shown = typeof text === 'string' ? text : decoder.decode(text, { stream: true });
        return raw(withStyles(shown, escape));
      }
      return raw(typeof text === 'string' ? withStyles(text, (part) => part) : text);
    },
  };
}

/** A text with the sequences of its styles, and everything between them escaped. */
function withStyles(text: string, escape: Escape): string {
  let written = '';
  let position = 0;
  for (const { 0: mark, 1: code = '', index } of text.matchAll(marks)) {
    written += `${escape(text.slice(position, index))}\u001b[${code}m`;
    position = index + mark.length;
  }
  return written + escape(text.slice(position));
}

function createChannel(stream: Sink, write: Channel['write'], environment: Environment, modes: OutputModes): Channel {
  const hasEscapes = mayEscape(stream, environment, modes);
  return {
    isTerminal: stream.isTTY === true,
    width: stream.columns ?? 80,
    paint: (style, text) => (hasEscapes ? `${seal}${styles[style]}m${text}${seal}0m` : text),
    write,
  };
}

function mayEscape(stream: Sink, environment: Environment, { hasColor }: OutputModes): boolean {
  const { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: term, CI: ci } = environment;
  if (!hasColor) return false;
  if (force !== '' && force !== '0') return true;
  return stream.isTTY === true && no === '' && term !== 'dumb' && ci !== 'true';
}

/** `{"schemaVersion":1, …}`: the beginning of every result of our own (cli.md, 4). */
export function result(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { schemaVersion: 1, ...members };
}

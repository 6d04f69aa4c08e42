import { randomUUID } from 'node:crypto';
import { indentJson } from '../../wire/json/json-indent.js';
import { safeJson, safeLines } from './text.js';

/** The part of a process's stream that is written to. */
export interface Sink {
  write(bytes: string | Uint8Array, done: (error?: Error | null) => void): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
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

/** The output modes, decided from the arguments. */
export interface OutputModes {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly hasColor: boolean;
}

/** One of the two output streams of a command. */
export interface Channel {
  readonly isTerminal: boolean;
  readonly width: number;
  /** Adds a style to a text that this module writes; returns it unchanged if escape sequences are disabled. */
  paint(style: Style, text: string): string;
  /**
   * Writes, and resolves when the system has the data, so that nothing is lost when the process ends. On a terminal all
   * control characters except line breaks and tabs are escaped.
   */
  write(text: string | Uint8Array): Promise<void>;
}

export interface Output extends OutputModes {
  readonly out: Channel;
  readonly err: Channel;
  /** Whether lines on stderr may be redrawn. */
  readonly isAnimated: boolean;
  /** Prints a line of the answer to stdout. */
  line(text: string): Promise<void>;
  /** Prints a JSON text as the answer to stdout: indented on a terminal, otherwise unchanged. */
  json(text: string): Promise<void>;
  /** Prints a JSON text as one line of an answer with many, to stdout. */
  record(text: string): Promise<void>;
  /** Prints a remark to stderr; nothing with `--quiet`. */
  note(text: string): Promise<void>;
  /** Draws these lines on stderr over those drawn last; an empty list erases them. Only if `isAnimated`. */
  draw(lines: readonly string[]): Promise<void>;
}

/** The beginning of a marker that represents a style until it is written. Random, so that no other text contains it. */
const markPrefix = `\u001b${randomUUID()};`;
const marks = new RegExp(`${markPrefix}(\\d+)m`, 'g');

/**
 * Creates the two output streams. Only this module writes to them, and so only this module writes escape sequences:
 * none with `NO_COLOR`, `TERM=dumb`, `--no-color`, `CI=true` or without a terminal; `FORCE_COLOR` overrides all but the
 * flag. Other control characters are escaped on a terminal, in JSON without changing the value (docs/operations.md
 * §11.2).
 */
export function createOutput(options: {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Environment;
  readonly modes: OutputModes;
}): Output {
  const { environment, modes } = options;
  const stdout = createWriter(options.stdout);
  const stderr = createWriter(options.stderr, true);
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
      const shown = inRows(lines, sizeOr(options.stderr.rows, Infinity));
      await err.write(shown.map((line) => `${line}\n`).join(''));
      drawn = shown.length;
    },
  };
}

const usualWidth = 80;

/** The size of a terminal, which may be unknown, or 0 in a container. */
function sizeOr(size: number | undefined, otherwise: number): number {
  return size === undefined || size === 0 ? otherwise : size;
}

/** The lines that fit the terminal, since lines that have scrolled away cannot be drawn over. */
function inRows(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return lines;
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more`];
}

/** Reads the output modes from unparsed arguments, so that they also apply to parse errors. */
export function modesFrom(argv: readonly string[]): OutputModes {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return {
    isJson: words.includes('--json'),
    isQuiet: words.includes('--quiet') || hasLetter(words, 'q'),
    isVerbose: words.includes('--verbose') || hasLetter(words, 'v'),
    hasColor: !words.includes('--no-color'),
  };
}

/** Whether a flag is given by its letter, alone or with others that take no value: `-yq`. */
function hasLetter(words: readonly string[], letter: string): boolean {
  return words.some((word) => /^-[qvyiF]+$/.test(word) && word.includes(letter));
}

type Escape = (text: string) => string;

const closedCodes = ['EPIPE', 'ERR_STREAM_DESTROYED'];

/** Creates the only writer of a stream. `mayBeClosed`: what cannot be written because the reader is gone is dropped. */
function createWriter(stream: Sink, mayBeClosed = false) {
  const decoder = new TextDecoder();
  const raw = (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        const isClosed = error instanceof Error && 'code' in error && closedCodes.includes(String(error.code));
        if (error === undefined || error === null || (mayBeClosed && isClosed)) resolve();
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

/** Replaces the markers of a text by escape sequences, and escapes everything else. */
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
    width: sizeOr(stream.columns, usualWidth),
    paint: (style, text) => (hasEscapes ? `${markPrefix}${styles[style]}m${text}${markPrefix}0m` : text),
    write,
  };
}

function mayEscape(stream: Sink, environment: Environment, { hasColor }: OutputModes): boolean {
  const { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: term, CI: ci } = environment;
  if (!hasColor) return false;
  if (force !== '' && force !== '0') return true;
  return stream.isTTY === true && no === '' && term !== 'dumb' && ci !== 'true';
}

/** `{"schemaVersion":1, …}`: the beginning of every result of the command line itself (docs/operations.md §11.3). */
export function result(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { schemaVersion: 1, ...members };
}

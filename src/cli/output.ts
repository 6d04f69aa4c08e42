import { indentJson } from './json-text.js';
import { safeJson } from './text.js';

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
  /** The text in this style, or as it is where no escape may be written. */
  paint(style: Style, text: string): string;
  /** Writes and waits until it is handed to the reader, so that nothing is lost when the process ends. */
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
  /** What the command has to say beside its answer, to stderr; not with `--quiet`. */
  note(text: string): Promise<void>;
  /** Draws these lines on stderr over those drawn last; an empty list erases them. Only where `isAnimated`. */
  draw(lines: readonly string[]): Promise<void>;
}

/**
 * The two streams of a command. This is the only module that writes escape sequences: none when `NO_COLOR` is set,
 * `TERM=dumb`, `--no-color`, `CI=true` or the stream is no terminal; `FORCE_COLOR` overrides all but the flag
 * (cli.md, 3.3).
 */
export function createOutput(options: {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Environment;
  readonly modes: OutputModes;
}): Output {
  const { environment, modes } = options;
  const out = createChannel(options.stdout, environment, modes);
  const err = createChannel(options.stderr, environment, modes);
  const isAnimated = err.isTerminal && mayEscape(options.stderr, environment, modes);
  let drawn = 0;
  return {
    ...modes,
    out,
    err,
    isAnimated,
    line: (text) => out.write(`${text}\n`),
    json: (text) => out.write(`${out.isTerminal ? safeJson(indentJson(text)) : text}\n`),
    async note(text) {
      if (!modes.isQuiet) await err.write(`${text}\n`);
    },
    async draw(lines) {
      const home = drawn === 0 ? '' : `\u001b[${drawn}A\u001b[J`;
      await err.write(home + lines.map((line) => `${line}\n`).join(''));
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

function createChannel(stream: Sink, environment: Environment, modes: OutputModes): Channel {
  const hasEscapes = mayEscape(stream, environment, modes);
  return {
    isTerminal: stream.isTTY === true,
    width: stream.columns ?? 80,
    paint: (style, text) => (hasEscapes ? `\u001b[${styles[style]}m${text}\u001b[0m` : text),
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          if (error === undefined || error === null) resolve();
          else reject(error);
        });
      }),
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

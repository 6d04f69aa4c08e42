/**
 * Exit codes (docs/operations.md §11.4). The name is also the `code` of a failure in JSON, unless a more specific one
 * is known.
 */
export const exitCodes = {
  OK: 0,
  FAILURE: 1,
  USAGE: 2,
  NOT_FOUND: 3,
  NOT_RUNNING: 4,
  TIMEOUT: 5,
  PORT_IN_USE: 6,
  REJECTED: 7,
  UNHEALTHY: 8,
  PREREQUISITE: 9,
  CONFLICT: 10,
  UNKNOWN_COMMAND: 127,
  INTERRUPTED: 130,
  TERMINATED: 143,
} as const;

export type ExitName = keyof typeof exitCodes;

/** The name of an exit code; FAILURE for an unknown one. */
export function exitNameOf(code: number | undefined): ExitName {
  return exitNames.find((name) => exitCodes[name] === code) ?? 'FAILURE';
}

const exitNames = Object.keys(exitCodes).filter((name): name is ExitName => name in exitCodes);

export interface CliErrorOptions {
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
  /** True: the failure has been printed already. */
  readonly isPrinted?: boolean;
  /** Default: that of the name. A command that runs another one passes that one's exit code on. */
  readonly exitCode?: number | undefined;
}

/** A failure of a command, printed as a sentence and a hint. */
export class CliError extends Error {
  readonly code: ExitName;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly isPrinted: boolean;

  constructor(code: ExitName, message: string, options: CliErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CliError';
    this.code = code;
    this.exitCode = options.exitCode ?? exitCodes[code];
    this.hint = options.hint;
    this.details = options.details ?? {};
    this.isPrinted = options.isPrinted === true;
  }
}

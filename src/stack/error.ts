/** The exit code of each error code. */
const exitCodes = {
  NAME_INVALID: 2,
  STACK_FILE_INVALID: 2,
  BIND_REFUSED: 2,
  CHAIN_REFUSED: 2,
  EXTERNAL_REFUSED: 2,
  EXPORT_REFUSED: 2,
  SNAPSHOT_REFUSED: 2,
  ARCHIVE_INVALID: 2,
  NOT_SELECTED: 3,
  STACK_NOT_FOUND: 3,
  SERVICE_NOT_FOUND: 3,
  SNAPSHOT_NOT_FOUND: 3,
  TEMPLATE_NOT_FOUND: 3,
  TEMPLATE_INVALID: 2,
  NOT_RUNNING: 4,
  START_TIMEOUT: 5,
  STOP_TIMEOUT: 5,
  PORT_IN_USE: 6,
  START_FAILED: 8,
  DISK_FULL: 8,
  LEFTOVERS: 8,
  FUNDING_FAILED: 8,
  SNAPSHOT_FAILED: 8,
  IMAGE_FAILED: 8,
  ENGINE_UNAVAILABLE: 9,
  CHAIN_UNREACHABLE: 9,
  ENGINE_MISSING: 9,
  CHAIN_UNSUITABLE: 9,
  DATABASE_UNREACHABLE: 9,
  DATABASE_UNSUITABLE: 9,
  KEY_UNFUNDED: 9,
  PREREQUISITE: 9,
  STORE_UNREACHABLE: 9,
  STORE_UNSUITABLE: 9,
  KEY_NOT_PRIVATE: 9,
  KEY_INVALID: 9,
  CERTIFICATE_INVALID: 9,
  CONTROL_NOT_PRIVATE: 9,
  PATH_TOO_LONG: 9,
  NAME_EXISTS: 10,
  SNAPSHOT_INVALID: 10,
  LOCKED: 10,
  CHAIN_MISMATCH: 10,
  DATABASE_MISMATCH: 10,
  STATE_INVALID: 10,
  STATE_OLDER: 10,
  STATE_NEWER: 10,
  PROTOCOL_MISMATCH: 10,
} as const;

export type StackErrorCode = keyof typeof exitCodes;

export interface StackErrorOptions {
  /** A next step for the user, as one sentence. */
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** A failed operation on a stack, in the form in which the CLI prints it. */
export class StackError extends Error {
  readonly code: StackErrorCode;
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: StackErrorCode, message: string, { hint, details = {}, cause }: StackErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'StackError';
    this.code = code;
    this.exitCode = exitCodes[code];
    this.hint = hint;
    this.details = details;
  }
}

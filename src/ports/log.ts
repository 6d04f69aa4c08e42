export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Where a part reports its changes of state. An entry is a short constant sentence; what varies goes into fields, ids
 * first. Never a secret, a request body or a value.
 */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;

  /** A log whose every entry also carries `fields`. */
  child(fields: LogFields): Log;
}

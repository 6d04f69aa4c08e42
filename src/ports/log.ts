export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Records changes of state of a part. An entry is a short constant sentence; variable data goes into fields, ids first.
 * Never log a secret, a request body or a value.
 */
export interface Log {
  debug(sentence: string, fields?: LogFields): void;
  info(sentence: string, fields?: LogFields): void;
  warn(sentence: string, fields?: LogFields): void;
  error(sentence: string, fields?: LogFields): void;

  /** Returns a log that adds `fields` to every entry. */
  child(fields: LogFields): Log;
}

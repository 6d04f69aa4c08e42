import { StackError } from '../stack/error.js';

/** Hints for the failures of a start, which otherwise name a stack and files that are deleted with it. */
const hints: Readonly<Record<string, string>> = {
  START_TIMEOUT: 'Allow more time with timeoutMs. The last log records of the service are in details.lines.',
  START_FAILED: 'The last log records of the service are in details.lines.',
};

/** The error of a start, without references to a stack and to files that no longer exist. Returns others unchanged. */
export function withoutDeleted(error: unknown): unknown {
  const hint = error instanceof StackError ? hints[error.code] : undefined;
  if (!(error instanceof StackError) || hint === undefined) return error;
  const { crash: _crash, log: _log, ...details } = error.details;
  return new StackError(error.code, error.message, { hint, details });
}

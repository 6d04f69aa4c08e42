import type { ClientError } from '../client/errors.js';

/** What to do where a node does not know who asks. */
export const credentialHint =
  'Name a file with user:password or a token that this node knows: --auth-file FILE, or $STACK_AUTH_FILE with --url.';

/** What to do about a value that is larger than a message or a request may be. */
export const fileHint = 'Send it as a file, which has no such limit: -f FILE, or -f - for stdin.';

const byCode = new Map([
  ['PY1004', fileHint],
  ['PY1203', fileHint],
  ['FF10327', fileHint],
  ['FF10328', fileHint],
]);

/** What to do about a node's refusal, where its own sentence does not say it. */
export function remedyOf({ status, code = '' }: Pick<ClientError, 'status' | 'code'>): string | undefined {
  return status === 401 ? credentialHint : byCode.get(code);
}

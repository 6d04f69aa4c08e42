import type { ClientError } from '../../client/errors.js';

/** The hint for a node that requires a credential. */
export const credentialHint =
  'Name a file with user:password or a token that this node knows: --auth-file FILE, or $STACK_AUTH_FILE with --url.';

/** The hint for a value that exceeds the size of a message or request. */
export const fileHint = 'Send it as a file, which has no such limit: -f FILE, or -f - for stdin.';

const byCode = new Map([
  ['PY1004', fileHint],
  ['PY1203', fileHint],
  ['FF10327', fileHint],
  ['FF10328', fileHint],
]);

/** The hint for a node's refusal, if its own sentence contains none. */
export function remedyOf({ status, code = '' }: Pick<ClientError, 'status' | 'code'>): string | undefined {
  return status === 401 ? credentialHint : byCode.get(code);
}

import type { ClientError } from '../../client/errors.js';

export const credentialHint =
  'Name a file with user:password or a token of this node: --auth-file FILE, or $STACK_AUTH_FILE with --url. ' +
  'A restart of the stack creates a token that was deleted.';

/** The hint for a value that exceeds the size of a message or request. */
export const fileHint = 'Send it as a file, which may be larger: -f FILE, or -f - for stdin.';

/** The hint for a file that exceeds the limit of a node. */
const blobHint = 'Raise limits.maxBlobBytes in stack.yaml, then: stack start';

const byCode = new Map([
  ['PY1004', fileHint],
  ['PY1203', fileHint],
  ['FF10327', fileHint],
  ['FF10328', fileHint],
]);

/** The hint for a node's refusal; undefined if there is none beyond its message. */
export function remedyOf(refusal: Pick<ClientError, 'status' | 'code' | 'text'>): string | undefined {
  const { status, code = '', text } = refusal;
  if (status === 401) return credentialHint;
  return text.includes('maxBlobBytes') ? blobHint : byCode.get(code);
}

/** A service that has stopped or does not answer. */
export interface LostService {
  readonly code: 'NOT_RUNNING' | 'TIMEOUT';
  readonly message: string;
}

const brokenCodes = ['ECONNREFUSED', 'ECONNRESET'];

/**
 * Describes an error of a service that stopped or did not answer during a command, as when the stack is stopped
 * meanwhile; undefined for other errors. For nodes there is `UnreachableError`.
 */
export function lostService(error: unknown): LostService | undefined {
  if (!(error instanceof Error)) return undefined;
  // Compared by shape, since the HTTP client is loaded only by commands that need it.
  if (error.name === 'TimeoutError' && 'limit' in error) {
    return { code: 'TIMEOUT', message: `A service does not answer: ${error.message}.` };
  }
  const code = 'code' in error ? String(error.code) : '';
  const isSocketGone = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
  if (!brokenCodes.includes(code) && !isSocketGone) return undefined;
  return { code: 'NOT_RUNNING', message: `A service has stopped meanwhile: ${error.message}.` };
}

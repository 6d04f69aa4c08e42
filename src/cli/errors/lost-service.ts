/** A service that a command can ask no more, described for a person. */
export interface LostService {
  readonly code: 'NOT_RUNNING' | 'TIMEOUT';
  readonly message: string;
}

const brokenCodes = ['ECONNREFUSED', 'ECONNRESET'];

/**
 * The service behind an error that ended, or fell silent, while a command asked it, as when somebody stops the stack
 * meanwhile; undefined for other errors. Nodes are named by errors of their own (`UnreachableError`).
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
  return { code: 'NOT_RUNNING', message: `A service has ended meanwhile: ${error.message}.` };
}

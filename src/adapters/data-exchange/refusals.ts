import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';

/** Why a connection to the port for peers was cut. */
export type Refusal =
  | 'no_certificate'
  /** Its key is not one that the registry names. */
  | 'unknown_key'
  | 'too_many_connections'
  | 'tls_version'
  | 'no_tls'
  /** Its handshake has failed in another way. */
  | 'handshake';

export interface RefusalParts {
  readonly log: Log;
  /** Undefined: nobody counts. */
  readonly metrics: Metrics | undefined;
  readonly nowMs?: () => number;
}

const quietMs = 60_000;
/** Anybody can make keys without end. */
const maxRemembered = 1_000;

/** Counts refused connections by reason, and warns of each key and reason at most once a minute. */
export function createRefusals({
  log,
  metrics,
  nowMs = () => performance.now(),
}: RefusalParts): (reason: Refusal, peer: string | undefined) => void {
  const toldAtMs = new Map<string, number>();
  return (reason, peer) => {
    metrics?.count('parley_peers_refused_total', 1, { reason });
    const now = nowMs();
    for (const [each, atMs] of toldAtMs) if (now - atMs >= quietMs) toldAtMs.delete(each);
    const subject = `${reason} ${peer ?? ''}`;
    if (toldAtMs.has(subject) || toldAtMs.size >= maxRemembered) return;
    toldAtMs.set(subject, now);
    log.warn('A connection to the port for peers was refused', { reason, ...(peer !== undefined && { peer }) });
  };
}

/** The reason in an error of a handshake; undefined for a client that has left by itself. */
export function reasonOf(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  if (/HTTP_REQUEST|WRONG_VERSION_NUMBER|HTTPS_PROXY/.test(code)) return 'no_tls';
  return /PROTOCOL|VERSION/.test(code) ? 'tls_version' : 'handshake';
}

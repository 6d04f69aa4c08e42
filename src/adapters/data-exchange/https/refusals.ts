import type { Log } from '../../../ports/log.js';
import type { Metrics } from '../../../ports/metrics.js';

/** The reason why a connection to the peer port was closed. */
export type Refusal =
  | 'no_certificate'
  /** Its key is not in the registry. */
  | 'unknown_key'
  /** Its node belongs to another copy of the network. */
  | 'other_copy'
  | 'too_many_connections'
  | 'tls_version'
  | 'no_tls'
  /** The handshake failed in another way. */
  | 'handshake';

export interface RefusalParts {
  readonly log: Log;
  /** Undefined: not counted. */
  readonly metrics: Metrics | undefined;
  readonly nowMs?: () => number;
}

const quietMs = 60_000;
/** Limit, since keys can be generated without end. */
const maxRemembered = 1_000;

/** Creates the counter of refused connections by reason, which warns of each key and reason at most once a minute. */
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
    log.warn('A connection to the peer port was refused', { reason, ...(peer !== undefined && { peer }) });
  };
}

/** The reason of a failed handshake; undefined if the client has disconnected. */
export function reasonOf(error: Error): Refusal | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  if (/HTTP_REQUEST|WRONG_VERSION_NUMBER|HTTPS_PROXY/.test(code)) return 'no_tls';
  if (code.includes('NO_APPLICATION_PROTOCOL')) return 'other_copy';
  return /PROTOCOL|VERSION/.test(code) ? 'tls_version' : 'handshake';
}

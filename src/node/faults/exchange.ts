import { type DataExchange, type Peer, PeerError } from '../../ports/data-exchange.js';
import type { Disturber } from './disturbance.js';
import type { Faults } from './fault-file.js';

/** Wraps a data exchange so that faults apply to sending; received data is subject to the faults of its sender. */
export function disturbExchange<Exchange extends DataExchange>(
  exchange: Exchange,
  faults: Pick<Faults, 'towards'>,
  disturb: Disturber,
): Exchange {
  const { pass, during } = disturb((sentence) => new PeerError(sentence));
  async function over<Answer>(
    { publicKeyHash }: Peer,
    signal: AbortSignal | undefined,
    call: (guarded: AbortSignal | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const find = () => faults.towards(publicKeyHash);
    await pass(find, signal);
    return during(find, signal, call);
  }
  return {
    ...exchange,
    send: (peer, envelope, signal) => over(peer, signal, (guarded) => exchange.send(peer, envelope, guarded)),
    sendBlob: (peer, offer, read, signal) =>
      over(peer, signal, (guarded) => exchange.sendBlob(peer, offer, read, guarded)),
    request: (peer, hash, signal) => over(peer, signal, (guarded) => exchange.request(peer, hash, guarded)),
  } satisfies Exchange;
}

import { type DataExchange, PeerError } from '../../ports/data-exchange.js';
import type { Disturber } from './disturbance.js';
import type { Faults } from './fault-file.js';

/** Wraps a data exchange so that faults apply to sending; received data is subject to the faults of its sender. */
export function disturbExchange<Exchange extends DataExchange>(
  exchange: Exchange,
  faults: Pick<Faults, 'towards'>,
  disturb: Disturber,
): Exchange {
  const { pass, during } = disturb((sentence) => new PeerError(sentence));
  return {
    ...exchange,
    async send(peer, envelope, signal) {
      const find = () => faults.towards(peer.publicKeyHash);
      await pass(find, signal);
      return during(find, signal, (guarded) => exchange.send(peer, envelope, guarded));
    },
    async sendBlob(peer, offer, read, signal) {
      const find = () => faults.towards(peer.publicKeyHash);
      await pass(find, signal);
      return during(find, signal, (guarded) => exchange.sendBlob(peer, offer, read, guarded));
    },
    async request(peer, hash, signal) {
      const find = () => faults.towards(peer.publicKeyHash);
      await pass(find, signal);
      return during(find, signal, (guarded) => exchange.request(peer, hash, guarded));
    },
  } satisfies Exchange;
}

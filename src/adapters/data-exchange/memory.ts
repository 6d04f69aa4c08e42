import assert from 'node:assert/strict';
import type { DataExchange, EnvelopeReceiver } from '../../ports/data-exchange.js';

export interface MemoryExchange {
  /**
   * The end of one node, known to the others as `peer`. A later end of the same peer takes over from an earlier one.
   */
  connect(peer: string): DataExchange;
}

/** Peers in one process, each known by its public-key hash. What a receiver answers is what its sender gets. */
export function createMemoryExchange(): MemoryExchange {
  const receivers = new Map<string, EnvelopeReceiver>();

  return {
    connect(peer) {
      let own: EnvelopeReceiver | undefined;
      let closed = false;

      return {
        async send(to, envelope) {
          const receiver = receivers.get(to);
          if (closed) throw new Error('This end of the data exchange is closed.');
          if (receiver === undefined) throw new Error(`The peer ${to} cannot be reached; it does not listen.`);
          return receiver(peer, envelope);
        },

        async listen(receiver) {
          assert(!closed, 'a closed end of the data exchange does not listen');
          assert(own === undefined, 'one receiver at a time');
          // A function of its own: two ends may be given the same receiver, and closing one must not end the other.
          own = (from, envelope) => receiver(from, envelope);
          receivers.set(peer, own);
        },

        async close() {
          closed = true;
          if (own !== undefined && receivers.get(peer) === own) receivers.delete(peer);
        },
      };
    },
  };
}

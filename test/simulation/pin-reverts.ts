import { decodeTransaction } from '../../src/adapters/blockchain/memory/call.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Blockchain } from '../../src/ports/blockchain.js';
import type { Simulator } from './life.js';

interface RevertingParts {
  readonly simulator: Simulator;
  readonly ledger: Pick<MemoryLedger, 'revertCalls'>;
  /** The calls that a party has sent in all its lives. */
  readonly sent: Set<string>;
}

/**
 * A connection to a chain that mines some pins without an effect, so that their batches wait for somebody to act. If it
 * replaces blocks it reverts a pin at most when that is sent first: registrations stay, so what had an effect has one
 * again.
 */
export function revertPins({ simulator, ledger, sent }: RevertingParts, inner: Blockchain): Blockchain {
  const { scheduler, faults, sometimes } = simulator;
  return {
    ...inner,
    submit(raw) {
      const { pinReverted, reorganisations } = faults();
      const isDrawn = pinReverted > 0 && isPin(raw) && scheduler.random.fraction() < pinReverted;
      const isReverted = isDrawn && !(reorganisations > 0 && sent.has(raw));
      sent.add(raw);
      if (!isReverted) return inner.submit(raw);
      sometimes('pin reverted');
      ledger.revertCalls(1);
      const receipt = inner.submit(raw);
      // A call that is known already, or waits for its turn, has not been reverted.
      ledger.revertCalls(0);
      return receipt;
    },
  };
}

function isPin(raw: string): boolean {
  return decodeTransaction(raw).call.type === 'pin_batch';
}

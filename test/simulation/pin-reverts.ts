import { decodeTransaction } from '../../src/adapters/blockchain/memory/call.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Blockchain } from '../../src/ports/blockchain.js';
import type { Simulator } from './life.js';

interface RevertingParts {
  readonly simulator: Simulator;
  readonly ledger: Pick<MemoryLedger, 'revertCalls'>;
}

/**
 * A connection to a chain that mines some pins without an effect, so that their batches wait for somebody to act. If it
 * replaces blocks, these may be pins that had an effect before.
 */
export function revertPins({ simulator, ledger }: RevertingParts, inner: Blockchain): Blockchain {
  const { scheduler, faults, sometimes } = simulator;
  return {
    ...inner,
    submit(raw) {
      const { pinReverted } = faults();
      const isReverted = pinReverted > 0 && isPin(raw) && scheduler.random.fraction() < pinReverted;
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

import { decodeTransaction } from '../../src/adapters/blockchain/memory/call.js';
import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { Blockchain } from '../../src/ports/blockchain.js';
import type { Simulator } from './life.js';

/** A connection to a chain that mines some pins without an effect, so that their batches wait for somebody to act. */
export function revertPins(
  { scheduler: { random }, faults, sometimes }: Simulator,
  ledger: Pick<MemoryLedger, 'revertCalls'>,
  inner: Blockchain,
): Blockchain {
  return {
    ...inner,
    submit(raw) {
      const { pinReverted } = faults();
      const isReverted = pinReverted > 0 && isPin(raw) && random.fraction() < pinReverted;
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

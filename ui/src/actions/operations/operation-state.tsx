import type { Operation } from '../../../../src/wire/chain/transaction.js';
import { Tone } from '../../components/record/state.js';

const looks = {
  Initialized: { tone: 'waiting', icon: 'waiting' },
  Pending: { tone: 'waiting', icon: 'waiting' },
  Succeeded: { tone: 'confirmed', icon: 'check' },
  Failed: { tone: 'rejected', icon: 'cross' },
} as const;

export function OperationState({ status }: Pick<Operation, 'status'>) {
  return <Tone {...looks[status]} word={status} />;
}

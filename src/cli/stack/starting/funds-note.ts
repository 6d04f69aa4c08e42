import { etherText } from '../../../stack/engines/chain/fees.js';
import type { Need } from '../../../stack/engines/chain/funds.js';
import type { FundsListener } from '../../../stack/engines/external-chain.js';
import type { Output } from '../../terminal/output.js';

/** Notes which keys are waited for, each time they are others. */
export function fundsNote(output: Pick<Output, 'note'>): FundsListener {
  return (needs) => void output.note(fundsText(needs));
}

/** Lists amounts to send to keys that have nothing to pay with. */
export function fundsText(needs: readonly Need[]): string {
  const rows = needs.map(({ owner, address, amount }) => `  ${address}  ${etherText(amount)} ether  (${owner})`);
  return ['Waiting until these keys can pay; send at least:', ...rows].join('\n');
}

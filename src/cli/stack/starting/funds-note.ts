import { etherText } from '../../../stack/engines/chain/fees.js';
import type { Need } from '../../../stack/engines/chain/funds.js';
import type { FundsListener } from '../../../stack/engines/external-chain.js';
import type { Output } from '../../terminal/output.js';

/** Creates a listener that prints the keys without funds. */
export function fundsNote(output: Pick<Output, 'note'>): FundsListener {
  return (needs) => void output.note(fundsText(needs));
}

/** Lists the amounts to send to keys without funds. */
export function fundsText(needs: readonly Need[]): string {
  const rows = needs.map(({ owner, address, amount }) => `  ${address}  ${etherText(amount)} ether  (${owner})`);
  return ['Waiting for funds of these keys; send at least:', ...rows].join('\n');
}

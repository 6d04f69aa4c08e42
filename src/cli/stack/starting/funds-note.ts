import { etherText } from '../../../stack/engines/chain/fees.js';
import type { Need } from '../../../stack/engines/chain/funds.js';

/** Lists amounts to send to keys that have nothing to pay with. */
export function fundsText(needs: readonly Need[]): string {
  const rows = needs.map(({ owner, address, amount }) => `  ${address}  ${etherText(amount)} ether  (${owner})`);
  return ['Waiting until these keys can pay; send at least:', ...rows].join('\n');
}

import { balanceFlags } from '../tokens/flags.js';
import { BaseCommand } from '../base.js';

export default class Balances extends BaseCommand {
  static override summary = 'Show token balances.';
  static override description = [
    'Prints a table of parties and pools on a terminal, and one balance per line elsewhere and for a single',
    'non-fungible pool. With --quiet, it prints only the numbers.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> balances',
    '<%= config.bin %> balances --pool deeds -p bob',
    '<%= config.bin %> balances --pool coins --key bob -q',
  ];
  static override flags = balanceFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Balances);
    const { showBalances } = await import('../tokens/balances.js');
    await showBalances(flags, this);
  }
}

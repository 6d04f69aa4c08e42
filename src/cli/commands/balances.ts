import { balanceFlags } from '../tokens/flags.js';
import { BaseCommand } from '../base.js';

export default class Balances extends BaseCommand {
  static override summary = 'Show who holds how many tokens of which pool.';
  static override description = [
    'On a terminal a table of parties and pools; elsewhere, and of one non-fungible pool, a line for each balance.',
    'With --quiet only the numbers.',
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

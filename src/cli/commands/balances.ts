import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { listFlags, tableFlags, targetFlags } from '../flags.js';

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
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    ...listFlags,
    pool: Flags.string({ description: 'name or id of a pool', helpGroup: 'FILTER' }),
    key: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Balances);
    const { showBalances } = await import('../tokens/balances.js');
    await showBalances(flags, this);
  }
}

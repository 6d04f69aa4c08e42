import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

export default class PoolList extends BaseCommand {
  static override summary = 'List the token pools, newest first.';
  static override description = 'The supply is the sum of all balances; for a non-fungible pool, the number of tokens.';
  static override examples = [
    '<%= config.bin %> pool list',
    `<%= config.bin %> pool list --filter type=fungible -p bob --json`,
  ];
  static override flags = { ...targetFlags, ...tableFlags, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(PoolList);
    const { printList } = await import('../../requests/list.js');
    const { poolCollection } = await import('../../tokens/pools/pool-table.js');
    await printList(flags, poolCollection(Date.now()), [], this);
  }
}

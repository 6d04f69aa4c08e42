import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

export default class SubsList extends BaseCommand {
  static override summary = 'List subscriptions with their positions.';
  static override examples = [
    '<%= config.bin %> subs list',
    '<%= config.bin %> subs list -p bob --columns name,acknowledged,lag',
    '<%= config.bin %> subs list --json',
  ];
  static override flags = { ...targetFlags, ...tableFlags, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(SubsList);
    const { printList } = await import('../../requests/list.js');
    const { subscriptionCollection } = await import('../../subs/table.js');
    await printList(flags, subscriptionCollection(Date.now()), [['fetchstatus', 'true']], this);
  }
}

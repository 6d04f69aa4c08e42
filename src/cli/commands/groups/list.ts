import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

export default class GroupsList extends BaseCommand {
  static override summary = 'List the private groups of a party.';
  static override examples = ['<%= config.bin %> groups list', '<%= config.bin %> groups list -p bob --json'];
  static override flags = { ...targetFlags, ...tableFlags, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(GroupsList);
    const { printList } = await import('../../requests/list.js');
    const { groupCollection } = await import('../../messages/listing/group-table.js');
    await printList(flags, groupCollection(Date.now()), [], this);
  }
}

import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

export default class DataList extends BaseCommand {
  static override summary = 'List the data of a node, newest first.';
  static override examples = [
    '<%= config.bin %> data list',
    `<%= config.bin %> data list --filter 'blob.size=>1000000' -p bob`,
    `<%= config.bin %> data list --filter datatype.name=order --all --json`,
  ];
  static override flags = { ...targetFlags, ...tableFlags, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(DataList);
    const { printList } = await import('../../requests/list.js');
    const { dataCollection } = await import('../../data/table.js');
    await printList(flags, dataCollection(Date.now()), [], this);
  }
}

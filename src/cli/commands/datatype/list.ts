import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

export default class DatatypeList extends BaseCommand {
  static override summary = 'List the datatypes, newest first.';
  static override examples = [
    '<%= config.bin %> datatype list',
    '<%= config.bin %> datatype list --name order -p bob --json',
  ];
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    ...listFlags,
    name: Flags.string({ description: 'only versions of this datatype', helpGroup: 'FILTER' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DatatypeList);
    const { printList } = await import('../../requests/list.js');
    const { datatypeCollection } = await import('../../datatypes/table.js');
    const parameters = flags.name === undefined ? [] : [['name', flags.name] as const];
    await printList(flags, datatypeCollection(Date.now()), parameters, this);
  }
}

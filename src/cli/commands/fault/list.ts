import { BaseCommand } from '../../base.js';
import { stackFlags, tableFlags } from '../../flags.js';

export default class FaultList extends BaseCommand {
  static override summary = 'List the active faults.';
  static override examples = ['<%= config.bin %> fault list'];
  static override flags = { ...stackFlags, ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(FaultList);
    const { listFaults } = await import('../../fault/faults.js');
    await listFaults({ ...flags, hasHeaders: !flags['no-headers'] }, this);
  }
}

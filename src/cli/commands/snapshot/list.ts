import { BaseCommand } from '../../base.js';
import { stackFlags, tableFlags } from '../../flags.js';

export default class SnapshotList extends BaseCommand {
  static override summary = 'List the snapshots of a stack, oldest first.';
  static override description = 'The size includes files that a snapshot shares with the stack.';
  static override examples = ['<%= config.bin %> snapshot list', '<%= config.bin %> snapshot list --json'];
  static override flags = { ...stackFlags, ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(SnapshotList);
    const { listAll } = await import('../../snapshots/snapshots.js');
    await listAll({ stack: flags.stack, columns: flags.columns, hasHeaders: !flags['no-headers'] }, this);
  }
}

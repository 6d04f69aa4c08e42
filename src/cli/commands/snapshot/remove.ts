import { BaseCommand } from '../../base.js';
import { confirmFlags, requiredArgument, stackFlags } from '../../flags.js';

export default class SnapshotRemove extends BaseCommand {
  static override summary = 'Delete a snapshot.';
  static override description = 'The stack, and copies made from the snapshot, are kept.';
  static override examples = [
    '<%= config.bin %> snapshot remove before',
    '<%= config.bin %> snapshot remove before --yes',
  ];
  static override args = { NAME: requiredArgument('name of the snapshot') };
  static override flags = { ...stackFlags, ...confirmFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotRemove);
    const { removeOne } = await import('../../snapshots/snapshots.js');
    const removed = await removeOne(args.NAME, flags, this);
    if (removed !== undefined) await this.answer(removed);
  }
}

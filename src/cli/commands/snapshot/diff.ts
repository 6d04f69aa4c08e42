import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class SnapshotDiff extends BaseCommand {
  static override summary = 'Compare messages and balances of two snapshots.';
  static override description = 'Shows for each party new, missing and changed messages, and balances.';
  static override examples = [
    '<%= config.bin %> snapshot diff before after',
    '<%= config.bin %> snapshot diff before after --json',
  ];
  static override args = {
    A: requiredArgument('name of the snapshot to begin with'),
    B: requiredArgument('name of the snapshot to compare with it'),
  };
  static override flags = { ...stackFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotDiff);
    const { diffSnapshots } = await import('../../snapshots/diff.js');
    await this.answer(await diffSnapshots({ first: args.A, second: args.B, stack: flags.stack }, this));
  }
}

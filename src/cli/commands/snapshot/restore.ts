import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { confirmFlags, progressFlags, requiredArgument, stackFlags, startTimeoutFlag } from '../../flags.js';

export default class SnapshotRestore extends BaseCommand {
  static override summary = 'Bring a stack back to a snapshot, or make a copy of it.';
  static override description = [
    'Definition, keys, ports and logs stay; it is started again if it ran, and what it had before comes back if the',
    'snapshot fails. With --as the stack stays as it is, and a second one begins at the snapshot; the two never',
    'mix, since the nodes of each refuse those of the other.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> snapshot restore before --yes',
    '<%= config.bin %> snapshot restore before --as what-if && <%= config.bin %> start what-if',
  ];
  static override args = { NAME: requiredArgument('name of the snapshot') };
  static override flags = {
    ...stackFlags,
    ...confirmFlags,
    as: Flags.string({ description: 'make a new stack of this name instead' }),
    'no-restart': Flags.boolean({ description: 'leave it stopped', exclusive: ['as'] }),
    timeout: startTimeoutFlag,
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotRestore);
    const { restoreOne } = await import('../../snapshots/restore.js');
    const next = await restoreOne(args.NAME, flags, this);
    if (next.length > 0) await this.suggest(...next);
  }
}

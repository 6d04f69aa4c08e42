import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { confirmFlags, progressFlags, requiredArgument, stackFlags, startTimeoutFlag } from '../../flags.js';

export default class SnapshotRestore extends BaseCommand {
  static override summary = 'Restore a snapshot, or create a second stack from it.';
  static override description = [
    'Definition, keys, ports and logs are kept. A running stack is started again; if that fails, its previous state',
    'is put back. With --as, a second stack begins at the snapshot and this one does not change. The two never mix:',
    'their nodes refuse each other.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> snapshot restore before --yes',
    '<%= config.bin %> snapshot restore before --as what-if && <%= config.bin %> start what-if',
  ];
  static override args = { NAME: requiredArgument('name of the snapshot') };
  static override flags = {
    ...stackFlags,
    ...confirmFlags,
    as: Flags.string({ description: 'create a new stack with this name instead' }),
    'no-restart': Flags.boolean({ description: 'do not start it again', exclusive: ['as'] }),
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

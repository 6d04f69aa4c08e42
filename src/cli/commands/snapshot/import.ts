import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class SnapshotImport extends BaseCommand {
  static override summary = 'Import a snapshot from an archive.';
  static override description = [
    'Imports into the stack of the snapshot or, with --as, as a new stack with the keys of the archive. Archives with',
    'entries outside the target are refused.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> snapshot import dev-before.tar.gz --as dev-2',
    '<%= config.bin %> snapshot import dev-before.tar.gz -s dev --name before-again',
  ];
  static override args = { FILE: requiredArgument('archive') };
  static override flags = {
    ...stackFlags,
    name: Flags.string({ description: 'name of the snapshot here; default: as exported', exclusive: ['as'] }),
    as: Flags.string({ description: 'create a new stack with this name', exclusive: ['stack'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotImport);
    const { importOne } = await import('../../snapshots/snapshots.js');
    const imported = await importOne(args.FILE, flags, this);
    await this.answer(imported);
    await this.suggest(flags.as === undefined ? `snapshot restore ${imported.primary ?? ''}` : `start ${flags.as}`);
  }
}

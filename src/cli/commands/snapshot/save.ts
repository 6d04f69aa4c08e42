import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class SnapshotSave extends BaseCommand {
  static override summary = 'Save the state of a stack under a name.';
  static override description = [
    'A snapshot has the chain, the store and the data of every party at one moment. A running stack pauses while',
    'files are copied. Everything that a node has accepted before is in the snapshot.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> snapshot save before',
    '<%= config.bin %> snapshot save before -s dev --json',
  ];
  static override args = { NAME: requiredArgument('name of the new snapshot') };
  static override flags = { ...stackFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotSave);
    const { saveOne } = await import('../../snapshots/snapshots.js');
    await this.answer(await saveOne(args.NAME, flags, this));
    await this.suggest(`snapshot restore ${args.NAME}`, 'snapshot list');
  }
}

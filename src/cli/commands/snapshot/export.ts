import { BaseCommand } from '../../base.js';
import { argument, requiredArgument, stackFlags } from '../../flags.js';

export default class SnapshotExport extends BaseCommand {
  static override summary = 'Write a snapshot with its keys to an archive.';
  static override description = 'The archive has the private keys of all parties, so keep it secret (mode 0600).';
  static override examples = [
    '<%= config.bin %> snapshot export before',
    '<%= config.bin %> snapshot export before before.tar.gz --json',
  ];
  static override args = {
    NAME: requiredArgument('name of the snapshot'),
    FILE: argument('archive; default: STACK-NAME.tar.gz in the working directory'),
  };
  static override flags = { ...stackFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SnapshotExport);
    const { exportOne } = await import('../../snapshots/snapshots.js');
    const exported = await exportOne(args.NAME, args.FILE, flags, this);
    await this.answer(exported);
    await this.suggest(`snapshot import ${exported.primary ?? ''} --as NAME`);
  }
}

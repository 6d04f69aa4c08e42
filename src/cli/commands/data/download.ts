import { downloadFlags } from '../../data/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class DataDownload extends BaseCommand {
  static override summary = 'Get a file, and check that it is the one that was sent.';
  static override description = [
    'Without -o the file gets the name it was sent with, in this directory, and replaces nothing. What comes is held',
    'against its SHA-256; other bytes leave no file and exit with 8.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> data download 52d9e1f0',
    '<%= config.bin %> data download 52d9e1f0 -o plan.pdf -p bob',
    '<%= config.bin %> data download 52d9e1f0 -o - | tar x',
  ];
  static override args = { ID: requiredArgument('id of the data') };
  static override flags = downloadFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataDownload);
    const { downloadOne } = await import('../../data/download.js');
    await downloadOne({ ...flags, id: args.ID }, this);
  }
}

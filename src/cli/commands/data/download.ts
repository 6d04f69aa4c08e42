import { downloadFlags } from '../../data/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class DataDownload extends BaseCommand {
  static override summary = 'Download a file and verify its hash.';
  static override description = [
    'Without -o, the file gets its original name in this directory; existing files are kept. The content is verified',
    'against its SHA-256; if it differs, no file is written and the exit code is 8.',
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

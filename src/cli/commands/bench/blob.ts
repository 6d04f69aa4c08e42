import { BaseCommand } from '../../base.js';
import { blobFlags } from '../../bench/flags.js';

export default class BenchBlob extends BaseCommand {
  static override summary = 'Measure the way of one file to another party.';
  static override description = [
    'The file is made up and goes from the first party to the second. Afterwards it is downloaded at both, so that the',
    'checker sees that every byte is there.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench blob --size 1GiB', '<%= config.bin %> bench blob --size 20MB'];
  static override flags = blobFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchBlob);
    const { benchBlob } = await import('../../bench/blob.js');
    await benchBlob(flags, this);
  }
}

import { BaseCommand } from '../../base.js';
import { blobFlags } from '../../bench/flags.js';

export default class BenchBlob extends BaseCommand {
  static override summary = 'Measure the transfer of a file to another party.';
  static override description =
    'A generated file goes from the first party to the second, and is downloaded at both to verify every byte.';
  static override examples = ['<%= config.bin %> bench blob --size 1GiB', '<%= config.bin %> bench blob --size 20MB'];
  static override flags = blobFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchBlob);
    const { benchBlob } = await import('../../bench/blob.js');
    await benchBlob(flags, this);
  }
}

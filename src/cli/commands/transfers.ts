import { transferListFlags } from '../tokens/flags.js';
import { BaseCommand } from '../base.js';

export default class Transfers extends BaseCommand {
  static override summary = 'List mints, transfers and burns, newest first.';
  static override description = 'Every party sees all of them, with the id of an attached message.';
  static override examples = [
    '<%= config.bin %> transfers',
    '<%= config.bin %> transfers --pool coins --to bob',
    '<%= config.bin %> transfers --message 77aa0b12 --json',
  ];
  static override flags = transferListFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Transfers);
    const { listTransfers } = await import('../tokens/transfers/transfer-table.js');
    await listTransfers(flags, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { listFlags, tableFlags, targetFlags } from '../flags.js';

export default class Transfers extends BaseCommand {
  static override summary = 'List mints, transfers and burns, newest first.';
  static override description = 'Every party sees all of them, and the id of the message that went along.';
  static override examples = [
    '<%= config.bin %> transfers',
    '<%= config.bin %> transfers --pool coins --to bob',
    '<%= config.bin %> transfers --message 77aa0b12 --json',
  ];
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    ...listFlags,
    pool: Flags.string({ description: 'name or id of a pool', helpGroup: 'FILTER' }),
    from: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
    to: Flags.string({ description: 'party, organisation, DID or address', helpGroup: 'FILTER' }),
    message: Flags.string({ description: 'id of the attached message, or its first characters', helpGroup: 'FILTER' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Transfers);
    const { listTransfers } = await import('../tokens/transfers/transfer-table.js');
    await listTransfers(flags, this);
  }
}

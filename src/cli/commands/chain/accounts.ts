import { BaseCommand } from '../../base.js';
import { stackFlags, tableFlags } from '../../flags.js';

export default class ChainAccounts extends BaseCommand {
  static override summary = 'List the accounts of a stack with balances and key files.';
  static override description = 'Spare accounts are funded but not used yet; a custom identity can claim one.';
  static override examples = ['<%= config.bin %> chain accounts', '<%= config.bin %> chain accounts --json'];
  static override flags = { ...stackFlags, ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainAccounts);
    const { showAccounts } = await import('../../chain/accounts.js');
    await showAccounts({ ...flags, hasHeaders: !flags['no-headers'] }, this);
  }
}

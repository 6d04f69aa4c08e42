import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../../base.js';
import { stackFlags } from '../../../flags.js';

export default class ChainAccountsCreate extends BaseCommand {
  static override summary = "Create a funded key in a party's wallet.";
  static override description = [
    'The node of the party can sign with it at once: as the key of a custom identity, or in contract and token calls.',
    'If the chain is stopped, the key is funded at the next start. With --quiet, it prints only the address.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> chain accounts create',
    '<%= config.bin %> chain accounts create -p bob --json',
  ];
  static override flags = {
    ...stackFlags,
    party: Flags.string({
      char: 'p',
      description: 'party or organisation that owns the wallet; default: the first party',
      helpGroup: 'TARGET',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainAccountsCreate);
    const { createAccount } = await import('../../../chain/create-account.js');
    await this.answer(await createAccount(flags, this));
    await this.suggest('chain accounts');
  }
}

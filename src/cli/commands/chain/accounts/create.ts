import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../../base.js';
import { stackFlags } from '../../../flags.js';

export default class ChainAccountsCreate extends BaseCommand {
  static override summary = "Make a key with funds in a party's wallet.";
  static override description = [
    'The node of the party may sign with it at once: as the key of a custom identity, or of contract and token calls.',
    'While the chain does not run, the key is made, and the next start gives it something. With --quiet the address.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> chain accounts create',
    '<%= config.bin %> chain accounts create -p bob --json',
  ];
  static override flags = {
    ...stackFlags,
    party: Flags.string({
      char: 'p',
      description: 'whose wallet, by party or organization; default: the first party',
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

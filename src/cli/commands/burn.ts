import * as Flags from '@oclif/core/flags';
import type { TokenFlags } from '../tokens/token-flags.js';
import { BaseCommand } from '../base.js';
import { requiredArgument, tokenFlags, tokenIndexFlag } from '../flags.js';

export default class Burn extends BaseCommand {
  static override summary = 'Burn tokens and wait until the burn is recorded.';
  static override description = [
    'AMOUNT is a whole number of the smallest unit. Only the owner of tokens, or an operator approved by the owner,',
    'can burn them. Exit codes: 0 recorded, 5 timeout, 7 refused by the node or the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> burn 5 --pool coins -p carol',
    '<%= config.bin %> burn 1 --pool deeds --token-index 7 -p bob',
    `<%= config.bin %> burn 5 --message 'no longer needed' --wait all`,
  ];
  static override args = { AMOUNT: requiredArgument('whole number') };
  static override flags = {
    from: Flags.string({ description: 'owner of the tokens; default: the signer' }),
    ...tokenIndexFlag,
    ...tokenFlags,
  };

  protected override async examine(): Promise<void> {
    const { checkTokenOperation } = await import('../tokens/operation.js');
    await checkTokenOperation(await this.typed());
  }

  private async typed(): Promise<TokenFlags> {
    const { args, flags, raw } = await this.parse(Burn);
    const { messageWords } = await import('../tokens/token-flags.js');
    return { ...flags, verb: 'burn', amount: args.AMOUNT, items: messageWords(raw) };
  }

  async run(): Promise<void> {
    const flags = await this.typed();
    const { runTokenOperation } = await import('../tokens/operation.js');
    await runTokenOperation(flags, this);
    if (!flags.curl && !flags['dry-run']) await this.suggest('balances', 'transfers');
  }
}

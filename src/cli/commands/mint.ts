import * as Flags from '@oclif/core/flags';
import type { TokenFlags } from '../tokens/token-flags.js';
import { BaseCommand } from '../base.js';
import { requiredArgument, tokenFlags } from '../flags.js';

export default class Mint extends BaseCommand {
  static override summary = 'Mint tokens and wait until the mint is recorded.';
  static override description = [
    'AMOUNT is a whole number of the smallest unit; for a non-fungible pool, the number of tokens, at most 250. Only',
    'the creator of a pool can mint. All parties see the mint and the hash of an attached message; only its',
    'recipients can read it. Exit codes: 0 recorded, 5 timeout, 7 refused by the node or the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> mint 100 --pool coins --to bob',
    `<%= config.bin %> mint 100 --to bob --message '{"for":"your help"}' --message-to bob`,
    '<%= config.bin %> mint 3 --pool deeds --wait all',
    '<%= config.bin %> mint 1 --pool deeds --uri https://example.com/deed.json',
  ];
  static override args = { AMOUNT: requiredArgument('whole number') };
  static override flags = {
    to: Flags.string({ description: 'recipient: party, organisation, DID or address; default: the minter' }),
    uri: Flags.string({ description: 'URI of the new tokens of a non-fungible pool' }),
    ...tokenFlags,
  };

  protected override async examine(): Promise<void> {
    const { checkTokenOperation } = await import('../tokens/operation.js');
    await checkTokenOperation(await this.typed());
  }

  private async typed(): Promise<TokenFlags> {
    const { args, flags, raw } = await this.parse(Mint);
    const { messageWords } = await import('../tokens/token-flags.js');
    return { ...flags, verb: 'mint', amount: args.AMOUNT, items: messageWords(raw) };
  }

  async run(): Promise<void> {
    const flags = await this.typed();
    const { runTokenOperation } = await import('../tokens/operation.js');
    await runTokenOperation(flags, this);
    if (!flags.curl && !flags['dry-run']) await this.suggest('balances', 'transfers');
  }
}

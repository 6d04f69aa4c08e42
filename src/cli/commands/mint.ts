import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { requiredArgument, tokenFlags } from '../flags.js';

export default class Mint extends BaseCommand {
  static override summary = 'Mint tokens of a pool, and wait until they are recorded.';
  static override description = [
    'AMOUNT is a whole number of the smallest unit; of a non-fungible pool the number of tokens, at most 250. Only who',
    'created a pool mints. A message can go along: all parties see the mint and the hash of the message, but only',
    'those it is for can read it. Exit codes: 0 recorded, 5 time is up, 7 refused by the node or by the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> mint 100 --pool coins --to bob',
    `<%= config.bin %> mint 100 --to bob --message '{"for":"your help"}' --message-to bob`,
    '<%= config.bin %> mint 3 --pool deeds --wait all',
    '<%= config.bin %> mint 1 --pool deeds --uri https://example.com/deed.json',
  ];
  static override args = { AMOUNT: requiredArgument('how much, in digits') };
  static override flags = {
    to: Flags.string({ description: 'party, organisation, DID or address that gets it; default: who mints' }),
    uri: Flags.string({ description: 'what the new tokens of a non-fungible pool stand for' }),
    ...tokenFlags,
  };

  async run(): Promise<void> {
    const { args, flags, raw } = await this.parse(Mint);
    const { runTokenOperation } = await import('../tokens/operation.js');
    const { messageWords } = await import('../tokens/token-flags.js');
    await runTokenOperation({ ...flags, verb: 'mint', amount: args.AMOUNT, items: messageWords(raw) }, this);
    if (!flags.curl && !flags['dry-run']) await this.suggest('balances', 'transfers');
  }
}

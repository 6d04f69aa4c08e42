import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { requiredArgument, tokenFlags, tokenIndexFlag } from '../flags.js';

export default class Transfer extends BaseCommand {
  static override summary = 'Transfer tokens to somebody and wait until it is recorded.';
  static override description = [
    'AMOUNT is a whole number of the smallest unit. Who owns tokens transfers them, or whom the owner has approved. A',
    'message can go along: all parties see the transfer and the hash of the message, but only those it is for can read',
    'it. Exit codes: 0 recorded, 5 time is up, 7 refused by the node or by the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> transfer 5 --pool coins --to carol -p bob',
    '<%= config.bin %> transfer 1 --pool deeds --token-index 7 --to alice -p bob',
    `<%= config.bin %> transfer 5 --to carol --message @invoice.json --message-to carol --wait all`,
  ];
  static override args = { AMOUNT: requiredArgument('how much, in digits') };
  static override flags = {
    to: Flags.string({ description: 'party, organisation, DID or address that gets it', required: true }),
    from: Flags.string({ description: 'whose tokens; default: of who signs' }),
    ...tokenIndexFlag,
    ...tokenFlags,
  };

  async run(): Promise<void> {
    const { args, flags, raw } = await this.parse(Transfer);
    const { runTokenOperation } = await import('../tokens/operation.js');
    const { messageWords } = await import('../tokens/token-flags.js');
    await runTokenOperation({ ...flags, verb: 'transfer', amount: args.AMOUNT, items: messageWords(raw) }, this);
    if (!flags.curl && !flags['dry-run']) await this.suggest('balances', 'transfers');
  }
}

import { approveFlags } from '../../tokens/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PoolApprove extends BaseCommand {
  static override summary = 'Approve or revoke an operator for your tokens.';
  static override description = [
    'An approved operator can transfer and burn your tokens, with --from. Exit codes: 0 recorded, 5 timeout, 7',
    'refused by the node or the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> pool approve bob --pool coins',
    '<%= config.bin %> pool approve bob --pool coins --revoke -p alice',
  ];
  static override args = { OPERATOR: requiredArgument('party, organisation, DID or address') };
  static override flags = approveFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PoolApprove);
    const { approveOperator } = await import('../../tokens/approve.js');
    await approveOperator({ ...flags, operator: args.OPERATOR }, this);
  }
}

import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class TransfersGet extends BaseCommand {
  static override summary = 'Show one mint, transfer or burn, with its message.';
  static override description =
    'ID can be shortened to four or more characters. Each node has its own ids; those of other parties also work.';
  static override examples = [
    '<%= config.bin %> transfers get 7d3f',
    '<%= config.bin %> transfers get 7d3f -p bob --json',
  ];
  static override args = { ID: requiredArgument('id of the transfer') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TransfersGet);
    const { openTarget } = await import('../../requests/target.js');
    const { showTransfer } = await import('../../tokens/transfers/transfer-get.js');
    const target = await openTarget(flags, this);
    await this.answer(await showTransfer(target, args.ID, this.output));
  }
}

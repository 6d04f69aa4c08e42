import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class SubsGet extends BaseCommand {
  static override summary = 'Show a subscription with its position.';
  static override description = [
    'NAME can also be the id or its first four or more characters. With --quiet, it prints only the sequence up to',
    'which everything is acknowledged.',
  ].join(' ');
  static override examples = ['<%= config.bin %> subs get app', '<%= config.bin %> subs get e0c6a2f8 -p bob --json'];
  static override args = { NAME: requiredArgument('name or id of the subscription') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubsGet);
    const { openTarget } = await import('../../requests/target.js');
    const { openSubscription } = await import('../../subs/subs.js');
    const { subscriptionText } = await import('../../subs/table.js');
    const { party } = await openTarget(flags, this);
    const { text, value } = await openSubscription(party, args.NAME, this.program);
    const primary = value.status === undefined ? undefined : String(value.status.currentOffset);
    await this.answer({ json: text, text: subscriptionText(value), primary });
  }
}

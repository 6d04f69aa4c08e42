import { BaseCommand } from '../../base.js';
import { confirmFlags, requiredArgument, targetFlags } from '../../flags.js';

export default class SubsDelete extends BaseCommand {
  static override summary = 'Delete a subscription and its position.';
  static override description = 'Attached clients are disconnected.';
  static override examples = ['<%= config.bin %> subs delete app', '<%= config.bin %> subs delete e0c6a2f8 --yes'];
  static override args = { NAME: requiredArgument('name or id of the subscription') };
  static override flags = { ...targetFlags, ...confirmFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubsDelete);
    const { deleteSubscription } = await import('../../subs/subs.js');
    const { safe } = await import('../../terminal/text.js');
    const deleted = await deleteSubscription({ ...flags, name: args.NAME }, this);
    if (deleted === undefined) return;
    const { subscription, party } = deleted;
    const { isTerminal, paint } = this.output.out;
    const mark = isTerminal ? `${paint('green', '✓')} ` : '';
    await this.answer({
      json: { deleted: subscription.name, id: subscription.id, party },
      text: `${mark}deleted ${safe(subscription.name)} at ${safe(party)}`,
      primary: subscription.id,
    });
  }
}

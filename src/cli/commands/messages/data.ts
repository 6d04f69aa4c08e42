import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class MessagesData extends BaseCommand {
  static override summary = 'Print the values of a message as they were sent.';
  static override description =
    'With --quiet, it prints only the values, one per line. With --party all, it prints what every party has.';
  static override examples = [
    '<%= config.bin %> messages data 3fa85f64',
    '<%= config.bin %> messages data 3fa85f64 -q | jq .',
    '<%= config.bin %> messages data 3fa85f64 --party all',
  ];
  static override args = { ID: requiredArgument('id of the message') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesData);
    const { showMessageData } = await import('../../messages/sending/data.js');
    await showMessageData({ ...flags, id: args.ID }, this);
  }
}

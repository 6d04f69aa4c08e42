import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class MessagesData extends BaseCommand {
  static override summary = 'Show the data of a message, each value as it was sent.';
  static override description = 'With --quiet only the values, a line each. With --party all what every party has.';
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

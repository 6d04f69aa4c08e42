import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class MessagesGet extends BaseCommand {
  static override summary = 'Show one message with its data.';
  static override description = 'ID may be the first four or more characters of the id of a recent message.';
  static override examples = [
    '<%= config.bin %> messages get 3fa85f64',
    '<%= config.bin %> messages get 3fa85f64 -p bob --json',
  ];
  static override args = { ID: requiredArgument('id of the message') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesGet);
    const { openTarget } = await import('../../target.js');
    const { resolveMessageId } = await import('../../messages.js');
    const { messageText } = await import('../../message-table.js');
    const { party } = await openTarget(flags, this);
    const msgid = await resolveMessageId(party.client, args.ID);
    const { text, value } = await party.client.getMessage({ path: { msgid }, query: { data: true } });
    await this.answer({ json: text, text: messageText(value), primary: value.state });
  }
}

import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class MessagesGet extends BaseCommand {
  static override summary = 'Show one message with its data.';
  static override description =
    'ID can be shortened to four or more characters. With --party all, it shows the state at every party.';
  static override examples = [
    '<%= config.bin %> messages get 3fa85f64',
    '<%= config.bin %> messages get 3fa85f64 -p bob --json',
    '<%= config.bin %> messages get 3fa85f64 --party all',
  ];
  static override args = { ID: requiredArgument('id of the message') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesGet);
    const { everyParty } = await import('../../party/every-party.js');
    const { openTarget } = await import('../../requests/target.js');
    const { showEverywhere } = await import('../../messages/sending/parties.js');
    if (flags.party === everyParty) {
      await showEverywhere({ ...flags, id: args.ID }, this);
      return;
    }
    const { resolveMessageId } = await import('../../requests/ids.js');
    const { messageText } = await import('../../messages/listing/table.js');
    const { party } = await openTarget(flags, this);
    const msgid = await resolveMessageId(party.client, args.ID);
    const { text, value } = await party.client.getMessage({ path: { msgid }, query: { data: true } });
    await this.answer({ json: text, text: messageText(value, this.output.out.isTerminal), primary: value.state });
  }
}

import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class MessagesData extends BaseCommand {
  static override summary = 'Show the data of a message, each value as it was sent.';
  static override description = 'With --quiet only the values, a line each.';
  static override examples = [
    '<%= config.bin %> messages data 3fa85f64',
    '<%= config.bin %> messages data 3fa85f64 -q | jq .',
  ];
  static override args = { ID: requiredArgument('id of the message') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesData);
    const { openTarget } = await import('../../target.js');
    const { resolveMessageId } = await import('../../ids.js');
    const { safe, shortId } = await import('../../text.js');
    const { indentJson } = await import('../../json-text.js');
    const { party } = await openTarget(flags, this);
    const msgid = await resolveMessageId(party.client, args.ID);
    const { text, value } = await party.client.getMessageData({ path: { msgid } });
    const { isTerminal, paint } = this.output.out;
    const shown = value.map((item) => {
      const id = paint('dim', `${isTerminal ? shortId(item.id) : item.id}  ${item.created}`);
      const lines = (isTerminal ? indentJson(item.value) : item.value).split('\n').map(safe);
      return `${id}\n${lines.join('\n')}`;
    });
    await this.answer({
      json: text,
      text: shown.join('\n'),
      primary: value.length === 0 ? undefined : value.map((item) => item.value).join('\n'),
    });
  }
}

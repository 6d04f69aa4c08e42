import { watchFlags } from '../../messages/listing/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class MessagesWatch extends BaseCommand {
  static override summary = 'Follow a message until its state is final.';
  static override description = [
    'Prints a line for each change. With --party all, it follows the message at every recipient. Exit codes: 0',
    'confirmed, 3 not found, 5 timeout, 7 rejected or cancelled.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> messages watch 3fa85f64 --party all',
    `<%= config.bin %> messages watch "$(<%= config.bin %> broadcast 1 --no-wait -q)" --timeout 5m`,
  ];
  static override args = { ID: requiredArgument('id of the message') };
  static override flags = watchFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessagesWatch);
    const { watchMessage } = await import('../../messages/listing/watch.js');
    await watchMessage({ ...flags, id: args.ID }, this);
  }
}

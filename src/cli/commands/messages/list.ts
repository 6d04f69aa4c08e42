import { messageListFlags } from '../../messages/listing/flags.js';
import { BaseCommand } from '../../base.js';

export default class MessagesList extends BaseCommand {
  static override summary = 'List messages: pending first, then newest confirmed.';
  static override description = [
    'Values of filters use the syntax of the API: ^ begins with, $ ends with, @ contains, ! not, and more. --all',
    'reads the whole history, newest created first. The age is the time since creation.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> messages list',
    '<%= config.bin %> messages list --pending -p bob --json',
    `<%= config.bin %> messages list --tag '^order' --author carol --since 1h --with-data`,
    `<%= config.bin %> messages list --type private --filter 'confirmed=!?' --all -q | wc -l`,
  ];
  static override flags = messageListFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(MessagesList);
    const { listMessages } = await import('../../messages/listing/list.js');
    await listMessages(flags, this);
  }
}

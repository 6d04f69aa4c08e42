import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export default class MessagesList extends BaseCommand {
  static override summary = 'List messages: undecided first, then the latest decided.';
  static override description = [
    'Values of filters are those of the API: ^ begins with, $ ends with, @ contains, ! not, and more. --all reads the',
    'whole history, the last created first. The age is that of the creation.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> messages list',
    '<%= config.bin %> messages list --pending -p bob --json',
    `<%= config.bin %> messages list --tag '^order' --author carol --since 1h --with-data`,
    `<%= config.bin %> messages list --type private --filter 'confirmed=!?' --all -q | wc -l`,
  ];
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    ...listFlags,
    pending: Flags.boolean({
      description: 'only those that are not decided yet',
      exclusive: ['confirmed'],
      helpGroup: 'FILTER',
    }),
    confirmed: Flags.boolean({ description: 'only those that are confirmed', helpGroup: 'FILTER' }),
    tag: filter('tag'),
    topic: filter('one of its topics'),
    type: filter('broadcast, private or definition'),
    author: filter('name, DID or key'),
    group: filter('hash of the group, or the first characters of it'),
    since: filter('created in the last 5m, 2h, …, or after a time'),
    'with-data': Flags.boolean({ description: 'with their values' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(MessagesList);
    const { listMessages } = await import('../../messages/listing/list.js');
    await listMessages(flags, this);
  }
}

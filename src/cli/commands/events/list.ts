import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { listFlags, tableFlags, targetFlags } from '../../flags.js';

const filter = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export default class EventsList extends BaseCommand {
  static override summary = 'List past events of a party; the newest stand last.';
  static override description = 'With --since the first ones after it, up to --limit.';
  static override examples = [
    '<%= config.bin %> events list -p bob',
    '<%= config.bin %> events list --since 42 --limit 100 --json',
    '<%= config.bin %> events list --since 5m --type message_rejected',
    '<%= config.bin %> events list --with-data --limit 5',
  ];
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    ...listFlags,
    since: filter('behind a sequence number, from the last 5m, 2h, …, or after a time'),
    type: filter('type of the event'),
    topic: filter('any topic of the message'),
    'with-data': Flags.boolean({ description: 'with the values of their messages' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList);
    const { printEvents } = await import('../../events/list.js');
    await printEvents(flags, this);
  }
}

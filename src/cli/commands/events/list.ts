import { eventListFlags } from '../../events/flags.js';
import { BaseCommand } from '../../base.js';

export default class EventsList extends BaseCommand {
  static override summary = 'List past events of a party, oldest first.';
  static override description = 'With --since, it lists the first events after that point, up to --limit.';
  static override examples = [
    '<%= config.bin %> events list -p bob',
    '<%= config.bin %> events list --since 42 --limit 100 --json',
    '<%= config.bin %> events list --since 5m --type message_rejected',
    '<%= config.bin %> events list --with-data --limit 5',
  ];
  static override flags = eventListFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsList);
    const { printEvents } = await import('../../events/list.js');
    await printEvents(flags, this);
  }
}

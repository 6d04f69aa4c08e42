import { forwardFlags } from '../../events/flags.js';
import { BaseCommand } from '../../base.js';

export default class EventsForward extends BaseCommand {
  static override summary = 'Post each event to a URL, as a webhook would.';
  static override description = [
    'One line for each event and one for each answer. An answer of 2xx acknowledges the event; after any other, or',
    'none, it is posted again, later and later, and the next ones wait. The header X-Parley-Event has the id of the',
    'event. Filters are regular expressions (RE2), not anchored. With --durable nothing is lost while nobody',
    'forwards.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> events forward --to http://127.0.0.1:8080/events',
    `<%= config.bin %> events forward --to http://127.0.0.1:8080 --type '^message_confirmed$' --with-data -p bob`,
    '<%= config.bin %> events forward --to http://127.0.0.1:8080 --durable app --create --print-body',
  ];
  static override flags = forwardFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsForward);
    const { runForward } = await import('../../events/forward.js');
    await runForward(flags, this);
  }
}

import { forwardFlags } from '../../events/flags.js';
import { BaseCommand } from '../../base.js';

export default class EventsForward extends BaseCommand {
  static override summary = 'POST each event to a URL, like a webhook.';
  static override description = [
    'Prints a line for each event and each response. A 2xx response acknowledges the event; otherwise it is posted',
    'again with growing delays, and later events wait. The header X-Parley-Event has the id of the event. Filters are',
    'unanchored regular expressions (RE2). With --durable, events are kept while none are forwarded.',
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

import { tailFlags } from '../../events/flags.js';
import { BaseCommand } from '../../base.js';

export default class EventsTail extends BaseCommand {
  static override summary = 'Print events as they happen.';
  static override description = [
    'Filters are unanchored regular expressions (RE2). After a lost connection it reconnects and fills the gap, so',
    'that no event is missing or repeated. With --all-parties, it also waits for parties that are unreachable when it',
    'begins, and prints the events that they have had since. --durable attaches to a subscription (see "subs"): an',
    'event is acknowledged when its line is printed, or when the command of --exec exits with 0; if the command',
    'fails, the tail ends and the event is delivered again later. Exit codes: 0 after --count or --until, 3 no such',
    'subscription, 4 node unreachable, 5 timeout, 8 command failed.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> events tail --all-parties',
    `<%= config.bin %> events tail -p bob --topic '^orders' --with-data -n 10`,
    '<%= config.bin %> events tail --since 5m --until tag=done --timeout 30s --json',
    `<%= config.bin %> events tail --durable app --create --tag '^order$' --exec './book.sh' -q`,
  ];
  static override flags = tailFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail);
    const { runTail } = await import('../../events/tail.js');
    await runTail(flags, this);
  }
}

import { tailFlags } from '../../events/flags.js';
import { BaseCommand } from '../../base.js';

export default class EventsTail extends BaseCommand {
  static override summary = 'Print events as they happen.';
  static override description = [
    'Filters are regular expressions (RE2), not anchored. A lost connection is tried again; what happened in',
    'between is filled in, so no event is missing and none comes twice. --durable attaches to a subscription (see',
    '"subs"): an event is acknowledged when its line is out, or when the command of --exec has ended with 0; a',
    'command that fails ends the tail, and its event comes again. Exit codes: 0 after --count or --until, 3 there',
    'is no such subscription, 4 the node is gone, 5 time is up, 8 the command failed.',
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

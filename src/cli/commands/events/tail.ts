import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { followFlags } from '../../flags.js';

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
  static override flags = {
    ...followFlags,
    lines: Flags.integer({
      char: 'n',
      min: 0,
      max: 1_000,
      exclusive: ['since', 'durable'],
      helpGroup: 'START',
      description: 'the last so many matching events first',
    }),
    'no-ack': Flags.boolean({
      dependsOn: ['durable'],
      exclusive: ['exec'],
      helpGroup: 'DURABLE',
      description: 'acknowledge nothing: shows at most what the subscription reads ahead',
    }),
    until: Flags.string({ description: 'leave after field=value: type, tag, topic, author, group or id' }),
    'with-data': Flags.boolean({ description: 'read the values of each message too' }),
    format: Flags.option({ options: ['short', 'json'] as const, default: 'short', description: 'form of a line' })(),
    exec: Flags.string({ description: 'run this for each event, with its JSON on stdin' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail);
    const { runTail } = await import('../../events/tail.js');
    await runTail(flags, this);
  }
}

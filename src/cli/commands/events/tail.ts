import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { targetFlags } from '../../flags.js';

const expression = (description: string) => Flags.string({ description, helpGroup: 'FILTER' });

export default class EventsTail extends BaseCommand {
  static override summary = 'Print events as they happen.';
  static override description = [
    'Filters are regular expressions (RE2), not anchored, and the node applies them. A lost connection',
    'is tried again and said',
    'on stderr; what happened in between is not delivered: read it with "messages list".',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> events tail --all-parties',
    `<%= config.bin %> events tail -p bob --topic '^orders' --with-data`,
    `<%= config.bin %> events tail --until tag=done --timeout 30s --json`,
  ];
  static override flags = {
    ...targetFlags,
    'all-parties': Flags.boolean({ description: 'merge the events of every party', exclusive: ['party', 'url'] }),
    type: expression('type of the event'),
    tag: expression('tag of the message'),
    topic: expression('any topic of the message'),
    author: expression('author of the message (a DID)'),
    count: Flags.integer({ min: 1, description: 'leave after so many events' }),
    until: Flags.string({ description: 'leave after an event with field=value: type, tag, topic, author or id' }),
    timeout: Flags.string({ default: '0', description: 'leave with exit code 5 after 30s, 5m, …; 0 = never' }),
    'with-data': Flags.boolean({ description: 'read the values of each message too' }),
    format: Flags.option({ options: ['short', 'json'] as const, default: 'short', description: 'form of a line' })(),
    'no-reconnect': Flags.boolean({ description: 'leave with exit code 4 when the connection is lost' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(EventsTail);
    const { runTail } = await import('../../tail.js');
    await runTail(flags, this);
  }
}

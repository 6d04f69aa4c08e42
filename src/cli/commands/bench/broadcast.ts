import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { targetFlags } from '../../flags.js';

export default class BenchBroadcast extends BaseCommand {
  static override summary = 'Measure broadcasts at all parties, and check every message.';
  static override description = [
    'Messages are sent at their time, whatever the answers take, and latency counts from that time to',
    'the event at the last',
    'party. Without --rate the highest rate that holds is searched. Exit code 8 when the checker finds',
    'something wrong or the',
    'figures do not count.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> bench broadcast --rate 50/s',
    '<%= config.bin %> bench broadcast --duration 10s --out report.json',
  ];
  static override flags = {
    ...targetFlags,
    rate: Flags.string({ description: 'messages a second, such as 200/s' }),
    duration: Flags.string({ default: '30s', description: 'how long is measured' }),
    warmup: Flags.string({ default: '5s', description: 'how long before that' }),
    size: Flags.integer({ min: 1, max: 800_000, default: 256, description: 'bytes of a value' }),
    topics: Flags.integer({ min: 1, max: 10_000, default: 16, description: 'how many topics' }),
    out: Flags.string({ description: 'file for the whole report as JSON' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchBroadcast);
    const { benchBroadcast } = await import('../../bench.js');
    await benchBroadcast(flags, this);
  }
}

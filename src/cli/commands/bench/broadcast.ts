import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchBroadcast extends BaseCommand {
  static override summary = 'Measure broadcasts and check every message.';
  static override description = [
    'Messages are sent on schedule, however long the responses take; latency counts from the scheduled time to the',
    'event at the last party. Without --rate, it searches the highest sustainable rate. Exit code 8 if the checker',
    'finds a problem or the figures do not count.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> bench broadcast --rate 50/s',
    '<%= config.bin %> bench broadcast --duration 10s --out report.json',
  ];
  static override flags = loadFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchBroadcast);
    const { benchMessages } = await import('../../bench/bench.js');
    await benchMessages('broadcast', flags, this);
  }
}

import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchBroadcast extends BaseCommand {
  static override summary = 'Measure broadcasts at all parties, and check every message.';
  static override description = [
    'Messages are sent at their time, whatever the answers take, and latency counts from that time to the event at the',
    'last party. Without --rate the highest rate that holds is searched. Exit code 8 when the checker finds something',
    'wrong or the figures do not count.',
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

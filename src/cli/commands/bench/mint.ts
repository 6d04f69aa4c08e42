import { BaseCommand } from '../../base.js';
import { rateFlags } from '../../bench/flags.js';

export default class BenchMint extends BaseCommand {
  static override summary = 'Measure mints at all parties, and check every balance.';
  static override description = [
    'Each party mints of a pool of its own, at the time of each mint whatever the answers take; latency counts from',
    'that time to the event at the last party. At the end every party must have each transfer once, and balances that',
    'are their sums; otherwise, or when the figures do not count, the exit code is 8.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> bench mint --rate 250/s',
    '<%= config.bin %> bench mint --duration 10s --out report.json',
  ];
  static override flags = rateFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchMint);
    const { benchMint } = await import('../../bench/bench.js');
    await benchMint(flags, this);
  }
}

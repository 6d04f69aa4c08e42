import { BaseCommand } from '../../base.js';
import { rateFlags } from '../../bench/flags.js';

export default class BenchMint extends BaseCommand {
  static override summary = 'Measure mints and check every balance.';
  static override description = [
    'Each party mints from its own pool, on schedule; latency counts from the scheduled time to the event at the last',
    'party. At the end every party must have each transfer once and the right balances; otherwise, or if the figures',
    'do not count, the exit code is 8.',
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

import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchMixed extends BaseCommand {
  static override summary = 'Measure broadcasts, private and unpinned messages together.';
  static override description = [
    'Each party in turn sends a broadcast, a private and an unpinned message, as applications do. All checks of the',
    'single benchmarks apply.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> bench mixed --rate 60/s',
    '<%= config.bin %> bench mixed --duration 10s',
  ];
  static override flags = loadFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchMixed);
    const { benchMessages } = await import('../../bench/bench.js');
    await benchMessages('mixed', flags, this);
  }
}

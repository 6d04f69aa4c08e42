import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchUnpinned extends BaseCommand {
  static override summary = 'Measure private messages that are not pinned.';
  static override description = [
    'Such messages have no place in any order and never touch the chain. Each party sends to the one after it; the',
    'checker sees that each arrives once and nowhere else.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench unpinned --rate 20/s'];
  static override flags = loadFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchUnpinned);
    const { benchMessages } = await import('../../bench/bench.js');
    await benchMessages('unpinned', flags, this);
  }
}

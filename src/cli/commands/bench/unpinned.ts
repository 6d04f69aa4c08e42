import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchUnpinned extends BaseCommand {
  static override summary = 'Measure unpinned private messages.';
  static override description = [
    'Unpinned messages are not ordered and do not use the chain. Each party sends to the next; the checker verifies',
    'that each message arrives once, and nowhere else.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench unpinned --rate 20/s'];
  static override flags = loadFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchUnpinned);
    const { benchMessages } = await import('../../bench/bench.js');
    await benchMessages('unpinned', flags, this);
  }
}

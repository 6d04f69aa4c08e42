import { BaseCommand } from '../../base.js';
import { loadFlags } from '../../bench/flags.js';

export default class BenchPrivate extends BaseCommand {
  static override summary = 'Measure private messages and check that they stay private.';
  static override description = [
    'Each party sends to the next. Latency counts from the scheduled time to the event at both members. Afterwards',
    'data and logs of the other parties, the store and the chain are searched for the messages.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench private --rate 50/s', '<%= config.bin %> bench private'];
  static override flags = loadFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchPrivate);
    const { benchMessages } = await import('../../bench/bench.js');
    await benchMessages('private', flags, this);
  }
}

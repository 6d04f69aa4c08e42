import { BaseCommand } from '../../base.js';
import { replayFlags } from '../../bench/flags.js';

export default class BenchReplay extends BaseCommand {
  static override summary = 'Measure the replay of events to a subscription.';
  static override description = [
    'The consumer acknowledges every event; the time counts until the last acknowledgement is on disk. Missing events',
    'are created first, by messages of the party to itself. Afterwards the checker compares the deliveries with the',
    'list of events.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench replay', '<%= config.bin %> bench replay --events 100000'];
  static override flags = replayFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchReplay);
    const { benchReplay } = await import('../../bench/replay.js');
    await benchReplay(flags, this);
  }
}

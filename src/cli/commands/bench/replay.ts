import { BaseCommand } from '../../base.js';
import { replayFlags } from '../../bench/flags.js';

export default class BenchReplay extends BaseCommand {
  static override summary = 'Measure the replay of stored events to a subscription.';
  static override description = [
    'Every event is acknowledged by its consumer, and the time counts until the last acknowledgement is on the disk of',
    'the node. Events that are missing are made before, by messages of the party to itself. Afterwards the checker',
    'compares what came with the list of events.',
  ].join(' ');
  static override examples = ['<%= config.bin %> bench replay', '<%= config.bin %> bench replay --events 100000'];
  static override flags = replayFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(BenchReplay);
    const { benchReplay } = await import('../../bench/replay.js');
    await benchReplay(flags, this);
  }
}

import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ChainPause extends BaseCommand {
  static override summary = 'Make no blocks, so that messages stay undecided.';
  static override description =
    'What is sent is accepted and waits. It holds over restarts of the chain, until chain resume.';
  static override examples = ['<%= config.bin %> chain pause'];
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainPause);
    const { pauseMining } = await import('../../chain/mining.js');
    await this.answer(await pauseMining(flags, this));
    await this.suggest('chain resume');
  }
}

import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ChainPause extends BaseCommand {
  static override summary = 'Pause mining: messages stay pending.';
  static override description =
    'Nodes still accept messages, which wait. The pause lasts until "chain resume", also after a restart. ' +
    'A new party needs a block, which "party add" or the next start mines.';
  static override examples = ['<%= config.bin %> chain pause'];
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainPause);
    const { pauseMining } = await import('../../chain/mining.js');
    await this.answer(await pauseMining(flags, this));
    await this.suggest('chain resume');
  }
}

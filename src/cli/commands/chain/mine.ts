import { BaseCommand } from '../../base.js';
import { argument, stackFlags } from '../../flags.js';

export default class ChainMine extends BaseCommand {
  static override summary = 'Mine blocks.';
  static override examples = ['<%= config.bin %> chain mine', '<%= config.bin %> chain mine 100'];
  static override args = { N: argument('number of blocks; default: 1') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ChainMine);
    const { mineBlocks } = await import('../../chain/mining.js');
    await this.answer(await mineBlocks({ ...flags, count: args.N }, this));
    await this.suggest('chain blocks');
  }
}

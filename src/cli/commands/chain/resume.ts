import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ChainResume extends BaseCommand {
  static override summary = 'Resume mining.';
  static override examples = ['<%= config.bin %> chain resume'];
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainResume);
    const { resumeMining } = await import('../../chain/mining.js');
    await this.answer(await resumeMining(flags, this));
    await this.suggest('status');
  }
}

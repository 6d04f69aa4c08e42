import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class ChainAdvance extends BaseCommand {
  static override summary = 'Move the clock of the chain ahead.';
  static override description = 'The clock cannot be moved back. It keeps its time after a restart.';
  static override examples = ['<%= config.bin %> chain advance 1h', '<%= config.bin %> chain advance 90s'];
  static override args = { SPAN: requiredArgument('duration: 30s, 10m, 24h') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ChainAdvance);
    const { advanceClock } = await import('../../chain/mining.js');
    await this.answer(await advanceClock({ ...flags, span: args.SPAN }, this));
    await this.suggest('chain info');
  }
}

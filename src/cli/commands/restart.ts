import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, progressFlags, stackFlags, startTimeoutFlag } from '../flags.js';

export default class Restart extends BaseCommand {
  static override summary = 'Stop a stack, or one service of it, and start it again.';
  static override examples = ['<%= config.bin %> restart', '<%= config.bin %> restart -p bob'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    party: Flags.string({ char: 'p', description: 'only the node of this party, or another service' }),
    timeout: startTimeoutFlag,
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Restart);
    const { restartOne } = await import('../stack/starting/restart.js');
    await restartOne({ ...flags, name: args.NAME }, this);
    await this.suggest('status');
  }
}

import { restartFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Restart extends BaseCommand {
  static override summary = 'Restart a stack or one of its services.';
  static override examples = ['<%= config.bin %> restart', '<%= config.bin %> restart -p bob'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = restartFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Restart);
    const { restartOne } = await import('../stack/starting/restart.js');
    await restartOne({ ...flags, name: args.NAME }, this);
    await this.suggest('status');
  }
}

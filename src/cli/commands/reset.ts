import { resetFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Reset extends BaseCommand {
  static override summary = 'Delete what the network has done; keep keys and ports.';
  static override description = 'Its definition, keys, ports and logs stay; it is started again if it ran.';
  static override examples = [
    '<%= config.bin %> reset',
    '<%= config.bin %> reset dev --yes --no-restart',
    '<%= config.bin %> reset dev --to before',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = resetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Reset);
    const { resetOne } = await import('../stack/starting/lifecycle.js');
    await resetOne({ ...flags, name: args.NAME }, this);
  }
}

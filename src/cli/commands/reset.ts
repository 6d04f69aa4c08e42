import { resetFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Reset extends BaseCommand {
  static override summary = 'Erase the history of a stack; keep keys and ports.';
  static override description = 'Definition, keys, ports and logs are kept. A running stack is started again.';
  static override examples = [
    '<%= config.bin %> reset',
    '<%= config.bin %> reset dev --yes --no-restart',
    '<%= config.bin %> reset dev --to before',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = resetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Reset);
    const { resetOne } = await import('../stack/ending/ending.js');
    await resetOne({ ...flags, name: args.NAME }, this);
  }
}

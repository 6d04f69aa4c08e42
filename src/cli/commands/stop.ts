import { stopFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Stop extends BaseCommand {
  static override summary = 'Stop stacks; keep all data.';
  static override examples = [
    '<%= config.bin %> stop',
    '<%= config.bin %> stop --all',
    '<%= config.bin %> stop -p bob',
  ];
  static override hiddenAliases = ['down'];
  static override strict = false;
  static override args = { NAME: argument('names of stacks') };
  static override flags = stopFlags;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Stop);
    const { stopMany } = await import('../stack/ending/ending.js');
    await stopMany({ ...flags, names: argv.map(String) }, this);
  }
}

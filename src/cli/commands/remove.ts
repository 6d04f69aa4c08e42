import { removeFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Remove extends BaseCommand {
  static override summary = 'Stop stacks and delete them.';
  static override description = 'A stack.yaml that belongs to a project is kept.';
  static override examples = [
    '<%= config.bin %> remove dev',
    '<%= config.bin %> remove dev --keep-snapshots',
    '<%= config.bin %> remove --all --yes',
  ];
  static override hiddenAliases = ['rm'];
  static override strict = false;
  static override args = { NAME: argument('names of stacks') };
  static override flags = removeFlags;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Remove);
    const { removeMany } = await import('../stack/ending/ending.js');
    await removeMany({ ...flags, names: argv.map(String) }, this);
  }
}

import { BaseCommand } from '../base.js';
import { tableFlags } from '../flags.js';

export default class List extends BaseCommand {
  static override summary = 'List your stacks.';
  static override examples = ['<%= config.bin %> list', '<%= config.bin %> list --json'];
  static override hiddenAliases = ['ls'];
  static override flags = tableFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(List);
    const { listAll } = await import('../stack/watching/observe.js');
    await listAll({ columns: flags.columns, hasHeaders: !flags['no-headers'] }, this);
  }
}

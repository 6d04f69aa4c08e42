import { BaseCommand } from '../../base.js';
import { tableFlags } from '../../flags.js';

export default class TemplateList extends BaseCommand {
  static override summary = 'List the templates that a stack can be made from.';
  static override description = 'Those of the package, and your own in templates/ of $STACK_HOME, which hide them.';
  static override examples = ['<%= config.bin %> template list', '<%= config.bin %> template list --json'];
  static override flags = { ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplateList);
    const { listAllTemplates } = await import('../../templates/templates.js');
    await listAllTemplates({ columns: flags.columns, hasHeaders: !flags['no-headers'] }, this);
  }
}

import { BaseCommand } from '../../base.js';
import { tableFlags } from '../../flags.js';

export default class TemplateList extends BaseCommand {
  static override summary = 'List the templates.';
  static override description = 'Your own templates are in templates/ of $STACK_HOME, and hide those of the package.';
  static override examples = ['<%= config.bin %> template list', '<%= config.bin %> template list --json'];
  static override flags = { ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(TemplateList);
    const { listAllTemplates } = await import('../../templates/templates.js');
    await listAllTemplates({ columns: flags.columns, hasHeaders: !flags['no-headers'] }, this);
  }
}

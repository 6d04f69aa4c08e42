import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class TemplateShow extends BaseCommand {
  static override summary = 'Show a template with its parameters.';
  static override examples = [
    '<%= config.bin %> template show default',
    '<%= config.bin %> template show ./mine --json',
  ];
  static override args = { NAME: requiredArgument('name or path of a template') };

  async run(): Promise<void> {
    const { args } = await this.parse(TemplateShow);
    const { showTemplate } = await import('../../templates/templates.js');
    await showTemplate(args.NAME, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { optionalStartFlags, requiredArgument } from '../../flags.js';

export default class TemplateValidate extends BaseCommand {
  static override summary = 'Check a template; with --start, start it too.';
  static override description = [
    'Renders the template with its defaults and prints each problem with its line. With --start, a stack is started',
    'from it in a temporary directory and removed again.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> template validate mine',
    '<%= config.bin %> template validate ./templates/mine --start',
  ];
  static override args = { NAME: requiredArgument('name or path of a template') };
  static override flags = {
    start: Flags.boolean({ description: 'start a stack from it and remove it again' }),
    ...optionalStartFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplateValidate);
    const { validateTemplate } = await import('../../templates/templates.js');
    await validateTemplate(args.NAME, flags, this);
  }
}

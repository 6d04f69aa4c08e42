import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { progressFlags, requiredArgument, startTimeoutFlag } from '../../flags.js';

export default class TemplateValidate extends BaseCommand {
  static override summary = 'Check a template, and with --start that it starts.';
  static override description = [
    'The template is rendered with its defaults, and every problem is printed with its line. With --start a stack of',
    'it is started in a place of its own and removed again.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> template validate mine',
    '<%= config.bin %> template validate ./templates/mine --start',
  ];
  static override args = { NAME: requiredArgument('name of a template, or the path of its directory') };
  static override flags = {
    start: Flags.boolean({ description: 'start a stack of it, and remove that again' }),
    timeout: startTimeoutFlag,
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplateValidate);
    const { validateTemplate } = await import('../../templates/templates.js');
    await validateTemplate(args.NAME, flags, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class TemplateNew extends BaseCommand {
  static override summary = 'Create your own template from another.';
  static override description = 'The template is a copy of another, in templates/ of $STACK_HOME.';
  static override examples = [
    '<%= config.bin %> template new mine',
    '<%= config.bin %> template new trade --from tokens --here',
  ];
  static override args = { NAME: requiredArgument('name of the new template') };
  static override flags = {
    from: Flags.string({ default: 'default', description: 'template to copy, by name or path' }),
    here: Flags.boolean({ description: 'write it to templates/ of this directory' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplateNew);
    const { newTemplate } = await import('../../templates/templates.js');
    await newTemplate(args.NAME, flags, this);
    const name = flags.here ? `./templates/${args.NAME}` : args.NAME;
    await this.suggest(`template validate ${name}`, `init -t ${name}`);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { argument, stackFlags } from '../../flags.js';

export default class ConfigPath extends BaseCommand {
  static override summary = 'Print the path of stack.yaml or of your config.yaml.';
  static override examples = ['<%= config.bin %> config path', '"$EDITOR" "$(<%= config.bin %> config path)"'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    user: Flags.boolean({
      description: 'print the path of your config.yaml, even if it does not exist',
      exclusive: ['stack'],
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigPath);
    const { printConfigPath } = await import('../../config/config.js');
    await printConfigPath({ stack: flags.stack ?? args.NAME, user: flags.user }, this);
  }
}

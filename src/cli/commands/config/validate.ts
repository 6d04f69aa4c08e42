import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { argument, stackFlags } from '../../flags.js';

export default class ConfigValidate extends BaseCommand {
  static override summary = 'Check stack.yaml and list every problem in it.';
  static override description = [
    'Each problem is printed with file, line and column, and with the nearest known key where one is unknown.',
    'Exit code 2 if there is one.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> config validate',
    '<%= config.bin %> config validate ./stack.yaml --json',
    '<%= config.bin %> config validate --online',
  ];
  static override args = { FILE: argument('a stack.yaml or config.yaml; default: the one of the stack') };
  static override flags = {
    ...stackFlags,
    online: Flags.boolean({ description: 'ask the chain that it names, too: exit code 9 or 10 if it does not fit' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigValidate);
    const { validateConfig } = await import('../../config/config.js');
    await validateConfig({ stack: flags.stack, file: args.FILE, online: flags.online }, this);
  }
}

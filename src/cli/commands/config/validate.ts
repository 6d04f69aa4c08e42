import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { argument, stackFlags } from '../../flags.js';

export default class ConfigValidate extends BaseCommand {
  static override summary = 'Check a stack.yaml and list all problems.';
  static override description =
    'Prints each problem with file, line and column, and the nearest known key. Exit code 2 if there is a problem.';
  static override examples = [
    '<%= config.bin %> config validate',
    '<%= config.bin %> config validate ./stack.yaml --json',
    '<%= config.bin %> config validate --online',
  ];
  static override args = { FILE: argument('stack.yaml or config.yaml; default: that of the stack') };
  static override flags = {
    ...stackFlags,
    online: Flags.boolean({ description: 'also check external services; exit code 9 or 10 if one does not fit' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigValidate);
    const { validateConfig } = await import('../../config/config.js');
    await validateConfig({ stack: flags.stack, file: args.FILE, online: flags.online }, this);
  }
}

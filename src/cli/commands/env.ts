import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, stackFlags } from '../flags.js';

export default class Env extends BaseCommand {
  static override summary = 'Print addresses of a stack as variables for a shell.';
  static override examples = [
    'eval "$(<%= config.bin %> env)"',
    '<%= config.bin %> env --format github >> "$GITHUB_ENV"',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    format: Flags.option({
      options: ['shell', 'fish', 'powershell', 'dotenv', 'json', 'github'] as const,
      default: 'shell',
    })({
      description: 'whose syntax',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Env);
    const { showEnvironment } = await import('../stack/watching/observe.js');
    await showEnvironment({ stack: flags.stack, name: args.NAME, format: flags.format }, this);
  }
}

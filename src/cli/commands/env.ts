import { environmentFlags } from '../stack/watching/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Env extends BaseCommand {
  static override summary = 'Print the addresses of a stack as shell variables.';
  static override examples = [
    'eval "$(<%= config.bin %> env)"',
    '<%= config.bin %> env --format github >> "$GITHUB_ENV"',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = environmentFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Env);
    const { showEnvironment } = await import('../stack/watching/observe.js');
    await showEnvironment({ stack: flags.stack, name: args.NAME, format: flags.format }, this);
  }
}

import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Autocomplete extends BaseCommand {
  static override summary = 'Print a script that completes commands in a shell.';
  static override description = [
    'Completes commands, flags, stacks, parties, and what a running stack has: messages, pools, datatypes, topics.',
    'Where nothing is known within 250 ms, the shell offers files; STACK_COMPLETION_TIMEOUT=2s gives a slow machine',
    'longer.',
  ].join(' ');
  static override examples = [
    'eval "$(<%= config.bin %> autocomplete bash)"',
    '<%= config.bin %> autocomplete fish > ~/.config/fish/completions/stack.fish',
  ];
  static override args = { SHELL: argument('bash, zsh, fish or powershell; default: the one of $SHELL') };

  async run(): Promise<void> {
    const { args } = await this.parse(Autocomplete);
    const { printCompletion } = await import('../complete/print.js');
    await printCompletion(args.SHELL, this);
  }
}

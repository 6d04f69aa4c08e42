import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Autocomplete extends BaseCommand {
  static override summary = 'Print a completion script for a shell.';
  static override description = [
    'Completes commands, flags, stacks, parties, and the messages, pools, datatypes and topics of a running stack. If',
    'nothing is known within 250 ms, the shell offers files; STACK_COMPLETION_TIMEOUT=2s allows more time.',
  ].join(' ');
  static override examples = [
    'eval "$(<%= config.bin %> autocomplete bash)"',
    '<%= config.bin %> autocomplete fish > ~/.config/fish/completions/stack.fish',
  ];
  static override args = { SHELL: argument('bash, zsh, fish or powershell; default: that of $SHELL') };

  async run(): Promise<void> {
    const { args } = await this.parse(Autocomplete);
    const { printCompletion } = await import('../complete/print.js');
    await printCompletion(args.SHELL, this);
  }
}

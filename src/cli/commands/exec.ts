import { BaseCommand } from '../base.js';
import { argument, stackFlags } from '../flags.js';

export default class Exec extends BaseCommand {
  static override summary = 'Run a command with the variables of a running stack.';
  static override description = 'The command gets the variables of "env". The exit code is that of the command.';
  static override examples = [
    '<%= config.bin %> exec -- npm test',
    `<%= config.bin %> exec -s dev -- sh -c 'curl "$STACK_BOB_URL/api/v1/status"'`,
  ];
  static override strict = false;
  static override args = { COMMAND: argument('command to run, after --') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { requireCommand, splitWords } = await import('../run/command.js');
    const typed = `${this.program} exec`;
    const words = splitWords(this.argv, typed, Exec.flags);
    const { flags } = await this.parse(Exec, [...words.own]);
    requireCommand(words, typed);
    const { execCommand } = await import('../run/exec.js');
    await execCommand({ ...flags, command: words.command }, this);
  }
}

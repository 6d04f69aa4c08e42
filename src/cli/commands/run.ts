import { runFlags } from '../run/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Run extends BaseCommand {
  static override summary = 'Run a command with a network that exists for it alone.';
  static override description = [
    'The network has a random name and ports that the system chooses; the command finds its addresses in the',
    'variables of "env", and "stack" inside it uses this network. The exit code is that of the command (128 + signal).',
    'However it ends, also by kill -9, nothing of the network is left. Without -t the nearest stack.yaml counts.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> run -- npm test',
    '<%= config.bin %> run -t ci --dump ./stack-artifacts -- npm test',
    `<%= config.bin %> run -t minimal -- sh -c 'curl "$STACK_ALICE_URL/api/v1/status"'`,
  ];
  static override strict = false;
  static override args = { COMMAND: argument('the command, behind --') };
  static override flags = runFlags;

  async run(): Promise<void> {
    const { requireCommand, splitWords } = await import('../run/command.js');
    const typed = `${this.program} run`;
    const words = splitWords(this.argv, typed, Run.flags);
    const { flags } = await this.parse(Run, [...words.own]);
    requireCommand(words, typed);
    const { runWithNetwork } = await import('../run/run.js');
    await runWithNetwork({ ...flags, command: words.command }, this);
  }
}

import { runFlags } from '../run/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Run extends BaseCommand {
  static override summary = 'Run a command with its own temporary network.';
  static override description = [
    'The network has a random name and free ports. The command gets the variables of "env", and "stack" inside it',
    'uses this network. Without -t, the nearest stack.yaml is used. The exit code is that of the command (128 +',
    'signal). When the command ends, even by kill -9, nothing of the network remains.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> run -- npm test',
    '<%= config.bin %> run -t ci --dump ./stack-artifacts -- npm test',
    `<%= config.bin %> run -t minimal -- sh -c 'curl "$STACK_ALICE_URL/api/v1/status"'`,
  ];
  static override strict = false;
  static override args = { COMMAND: argument('command to run, after --') };
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

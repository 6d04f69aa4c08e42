import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, progressFlags, startTimeoutFlag } from '../flags.js';

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
  static override flags = {
    template: Flags.string({ char: 't', description: 'default, minimal, tokens, ci, or the path of one' }),
    parties: Flags.string({ char: 'n', description: 'how many, or their names: 3 or alice,bob' }),
    set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'a setting: dotted.path=value' }),
    timeout: startTimeoutFlag,
    smoke: Flags.boolean({ allowNo: true, description: 'send a message that must be confirmed everywhere' }),
    dump: Flags.string({ description: 'after a failure, write logs and state below this directory' }),
    'keep-on-failure': Flags.boolean({ description: 'after a failure, keep the network as a stack' }),
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { requireCommand, splitWords } = await import('../run/command.js');
    const typed = `${this.program} run`;
    const words = splitWords(this.argv, typed, Run.flags);
    const { flags } = await this.parse(Run, [...words.own]);
    requireCommand(words, typed);
    const { runWithNetwork } = await import('../run/run.js');
    await runWithNetwork({ ...flags, sets: flags.set ?? [], command: words.command }, this);
  }
}

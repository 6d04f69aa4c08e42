import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, confirmFlags, progressFlags, stackFlags, startTimeoutFlag } from '../flags.js';

export default class Start extends BaseCommand {
  static override summary = 'Start a stack and wait until it works; heals what is broken.';
  static override examples = [
    '<%= config.bin %> start',
    '<%= config.bin %> start dev --timeout 2m',
    '<%= config.bin %> start --init ci --json',
    '<%= config.bin %> start -F',
    '<%= config.bin %> start --external bob',
  ];
  static override hiddenAliases = ['up'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    ...confirmFlags,
    timeout: startTimeoutFlag,
    'no-wait': Flags.boolean({ description: 'return when the supervisor runs' }),
    init: Flags.string({ description: 'make it from this template if it is missing' }),
    fresh: Flags.boolean({ description: 'reset it first; needs --yes' }),
    'from-snapshot': Flags.string({ description: 'go back to this snapshot first', exclusive: ['fresh', 'init'] }),
    'reassign-ports': Flags.boolean({ description: 'choose new ports' }),
    host: Flags.string({ description: 'address for the nodes to listen on; beyond loopback it takes auth' }),
    smoke: Flags.boolean({ allowNo: true, description: 'send a message that must be confirmed everywhere' }),
    'no-hooks': Flags.boolean({ description: 'run no command of hooks.ready' }),
    foreground: Flags.boolean({ char: 'F', description: 'print its logs, and stop it on Ctrl-C' }),
    open: Flags.boolean({ description: 'open the explorer of the first party' }),
    external: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'leave the node of this party to you, for a debugger; may be repeated',
    }),
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Start);
    const { startOne } = await import('../stack/starting/start.js');
    await startOne({ ...flags, name: args.NAME }, this);
    if (flags.foreground) return;
    await this.suggest(`broadcast '{"hello":"world"}' --wait all`, 'events tail --all-parties');
  }
}

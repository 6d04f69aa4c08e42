import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, stackFlags, tableFlags } from '../flags.js';

export default class Status extends BaseCommand {
  static override summary = 'Show the services of a stack and the state of each party.';
  static override examples = [
    '<%= config.bin %> status',
    '<%= config.bin %> status dev --check --json',
    '<%= config.bin %> status --watch',
  ];
  static override hiddenAliases = ['ps'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    ...tableFlags,
    watch: Flags.boolean({ description: 'refresh every second until Ctrl-C', exclusive: ['check'] }),
    check: Flags.boolean({ description: 'exit with 4 if the stack is not running, with 8 if it is unhealthy' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Status);
    const table = { columns: flags.columns, hasHeaders: !flags['no-headers'] };
    const options = { ...table, stack: flags.stack, name: args.NAME, check: flags.check };
    if (flags.watch) {
      const { watchStatus } = await import('../stack/watching/status-watch.js');
      await watchStatus(options, this);
    }
    const { showStatus } = await import('../stack/watching/observe.js');
    await showStatus(options, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, stackFlags, tableFlags } from '../flags.js';

export default class Status extends BaseCommand {
  static override summary = 'Show the services of a stack and how far each party is.';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status dev --check --json'];
  static override hiddenAliases = ['ps'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    ...tableFlags,
    check: Flags.boolean({ description: 'exit with 4 when it does not run, with 8 when something is wrong' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Status);
    const { showStatus } = await import('../stack/observe.js');
    const table = { columns: flags.columns, hasHeaders: !flags['no-headers'] };
    await showStatus({ ...table, stack: flags.stack, name: args.NAME, check: flags.check }, this);
  }
}

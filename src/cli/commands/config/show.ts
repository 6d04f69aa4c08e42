import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { argument, stackFlags, tableFlags } from '../../flags.js';

export default class ConfigShow extends BaseCommand {
  static override summary = 'Show the settings of a stack and where each comes from.';
  static override description = [
    'A setting comes from stack.yaml, else from the config.yaml of the user, else it is a default. Keys and tokens are',
    'never shown: settings only name the files that have them.',
  ].join(' ');
  static override examples = ['<%= config.bin %> config show', '<%= config.bin %> config show dev --resolved --json'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    resolved: Flags.boolean({ description: 'show defaults too' }),
    origin: Flags.boolean({ allowNo: true, default: true, description: 'show where each setting comes from' }),
    ...tableFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConfigShow);
    const { showConfig } = await import('../../config/config.js');
    const stack = { stack: flags.stack ?? args.NAME };
    await showConfig({ ...flags, ...stack, hasHeaders: !flags['no-headers'] }, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { argument, stackFlags, tableFlags } from '../../flags.js';

export default class ConfigShow extends BaseCommand {
  static override summary = 'Show the settings of a stack and where they come from.';
  static override description = [
    'Settings come from stack.yaml, then from your config.yaml, then from the defaults. Keys and tokens are never',
    'shown; settings only name their files.',
  ].join(' ');
  static override examples = ['<%= config.bin %> config show', '<%= config.bin %> config show dev --resolved --json'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = {
    ...stackFlags,
    resolved: Flags.boolean({ description: 'also show defaults' }),
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

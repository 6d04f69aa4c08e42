import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportSystemd extends BaseCommand {
  static override summary = 'Print a systemd unit that runs a stack.';
  static override description = [
    'The unit runs as your user, logs to the journal, and restarts the stack whenever it ends; stop it with',
    'systemctl. Works for every stack, also one created by "party join".',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> export systemd -s carol | sudo tee /etc/systemd/system/parley-carol.service',
    '<%= config.bin %> export systemd -o parley-dev.service',
  ];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'file to write to, or - for stdout; default: stdout' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportSystemd);
    const { exportSystemd } = await import('../../export/systemd.js');
    await this.answer(await exportSystemd(flags, this));
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportSystemd extends BaseCommand {
  static override summary = 'Print a systemd unit that runs a stack from boot on.';
  static override description =
    'It runs as this user, writes the logs to the journal, and is started again whatever ends it: stop it with ' +
    'systemctl. It is for every stack, such as that of a party which has joined from this machine.';
  static override examples = [
    '<%= config.bin %> export systemd -s carol | sudo tee /etc/systemd/system/parley-carol.service',
    '<%= config.bin %> export systemd -o parley-dev.service',
  ];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'file to write to; - for stdout, the default' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportSystemd);
    const { exportSystemd } = await import('../../export/systemd.js');
    await this.answer(await exportSystemd(flags, this));
  }
}

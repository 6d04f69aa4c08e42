import { doctorFlags } from '../doctor/flags.js';
import { BaseCommand } from '../base.js';

export default class Doctor extends BaseCommand {
  static override summary = 'Check what stacks need on this machine.';
  static override description =
    'A line for each subject: ok, warn or fail, and what to do. Exit codes: 0, or 9 when something fails.';
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --fix'];
  static override flags = doctorFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const { examine } = await import('../doctor/doctor.js');
    await examine(flags, this);
  }
}

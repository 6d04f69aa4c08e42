import { doctorFlags } from '../doctor/flags.js';
import { BaseCommand } from '../base.js';

export default class Doctor extends BaseCommand {
  static override summary = 'Check this machine for problems.';
  static override description =
    'Prints ok, warn or fail for each subject, and what to do. Exit codes: 0, or 9 if something fails.';
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --fix'];
  static override flags = doctorFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const { examine } = await import('../doctor/doctor.js');
    await examine(flags, this);
  }
}

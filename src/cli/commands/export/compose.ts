import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportCompose extends BaseCommand {
  static override summary = 'Write Docker Compose files for the same network.';
  static override description = [
    'Members, keys, chain id and contracts stay the same. With --data, the history is included; the stack must be',
    'stopped. The directory has the secrets of all parties, as files of mode 0600, and works without this program.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> export compose -o elsewhere',
    '<%= config.bin %> export compose --data --advertise net.example',
  ];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'directory to write; default: NAME-compose' }),
    data: Flags.boolean({
      allowNo: true,
      description: 'include the history; default: if chain or database is external',
    }),
    advertise: Flags.string({ description: 'name or address for other machines; requires auth' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportCompose);
    const { exportCompose } = await import('../../export/containers.js');
    await this.answer(await exportCompose(flags, this));
  }
}

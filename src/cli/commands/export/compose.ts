import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportCompose extends BaseCommand {
  static override summary = 'Write files for Docker Compose that boot the same network.';
  static override description =
    'Members, keys, chain id and contracts are the same; the history goes along with --data, from a stopped stack. ' +
    'The folder has the secrets of all parties, as files of mode 0600, and runs without this program.';
  static override examples = [
    '<%= config.bin %> export compose -o elsewhere',
    '<%= config.bin %> export compose --data --advertise net.example',
  ];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'folder to write; default: NAME-compose' }),
    data: Flags.boolean({
      allowNo: true,
      description: 'take the history along; default: where chain or database are elsewhere',
    }),
    advertise: Flags.string({ description: 'name or address by which other machines reach it; needs auth' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportCompose);
    const { exportCompose } = await import('../../export/containers.js');
    await this.answer(await exportCompose(flags, this));
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportKubernetes extends BaseCommand {
  static override summary = 'Write Kubernetes manifests for the same network.';
  static override description = [
    'Members, keys, chain id and contracts stay the same; the history starts empty. secrets.yaml has the secrets of',
    'all parties, network.yaml everything else.',
  ].join(' ');
  static override examples = ['<%= config.bin %> export kubernetes -o manifests'];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'directory to write; default: NAME-kubernetes' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportKubernetes);
    const { exportKubernetes } = await import('../../export/containers.js');
    await this.answer(await exportKubernetes(flags, this));
  }
}

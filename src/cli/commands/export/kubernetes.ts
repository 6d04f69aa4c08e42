import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportKubernetes extends BaseCommand {
  static override summary = 'Write manifests for Kubernetes that boot the same network.';
  static override description =
    'Members, keys, chain id and contracts are the same; the history begins anew. secrets.yaml has the secrets of ' +
    'all parties, and network.yaml everything else.';
  static override examples = ['<%= config.bin %> export kubernetes -o manifests'];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'folder to write; default: NAME-kubernetes' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportKubernetes);
    const { exportKubernetes } = await import('../../export/containers.js');
    await this.answer(await exportKubernetes(flags, this));
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';

export default class ImageBuild extends BaseCommand {
  static override summary = 'Build the image for runtime: docker, if it is missing.';
  static override description = [
    'The image has this package and the Node.js that runs it, and needs no other image and no registry. "start"',
    'builds missing images itself.',
  ].join(' ');
  static override examples = ['<%= config.bin %> image build', '<%= config.bin %> image build --no-chain --json'];
  static override flags = {
    chain: Flags.boolean({
      default: true,
      allowNo: true,
      description: 'include the chain engine; nodes and store do not need it',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ImageBuild);
    const { buildImage } = await import('../../image/images.js');
    await this.answer(await buildImage({ hasChain: flags.chain }, this));
  }
}

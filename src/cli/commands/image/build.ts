import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';

export default class ImageBuild extends BaseCommand {
  static override summary = 'Make the image for runtime: docker, if the engine lacks it.';
  static override description = [
    'It has this package and the Node that runs it, imported in one step: no other image and no registry is needed.',
    'stack start makes what it needs by itself.',
  ].join(' ');
  static override examples = ['<%= config.bin %> image build', '<%= config.bin %> image build --no-chain --json'];
  static override flags = {
    chain: Flags.boolean({ default: true, allowNo: true, description: 'with the chain; nodes and store need none' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ImageBuild);
    const { buildImage } = await import('../../image/images.js');
    await this.answer(await buildImage({ hasChain: flags.chain }, this));
  }
}

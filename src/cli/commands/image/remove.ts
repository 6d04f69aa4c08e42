import { BaseCommand } from '../../base.js';
import { confirmFlags } from '../../flags.js';

export default class ImageRemove extends BaseCommand {
  static override summary = 'Remove the images of this package.';
  static override description = '"start" builds missing images again.';
  static override examples = ['<%= config.bin %> image remove --yes'];
  static override flags = { ...confirmFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(ImageRemove);
    const { removeImages } = await import('../../image/images.js');
    const removed = await removeImages(flags, this);
    if (removed !== undefined) await this.answer(removed);
  }
}

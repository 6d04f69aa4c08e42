import { BaseCommand } from '../../base.js';
import { tableFlags } from '../../flags.js';

export default class ImageList extends BaseCommand {
  static override summary = 'List the images of this package.';
  static override examples = ['<%= config.bin %> image list', '<%= config.bin %> image list --json'];
  static override flags = { ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(ImageList);
    const { showImages } = await import('../../image/images.js');
    await showImages({ columns: flags.columns, hasHeaders: !flags['no-headers'] }, this);
  }
}

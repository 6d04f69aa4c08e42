import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags, tableFlags } from '../../flags.js';

export default class ChainBlocks extends BaseCommand {
  static override summary = 'List the newest blocks with their pins and token events.';
  static override examples = ['<%= config.bin %> chain blocks', '<%= config.bin %> chain blocks -n 100 --json'];
  static override flags = {
    ...stackFlags,
    ...tableFlags,
    lines: Flags.integer({ char: 'n', min: 1, max: 1_000, default: 10, description: 'number of blocks' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainBlocks);
    const { showBlocks } = await import('../../chain/blocks.js');
    await showBlocks({ ...flags, count: flags.lines, hasHeaders: !flags['no-headers'] }, this);
  }
}

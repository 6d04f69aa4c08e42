import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ChainInfo extends BaseCommand {
  static override summary = 'Show the chain of a stack: head, journal, contracts.';
  static override description = 'With --quiet, it prints only the number of the newest block.';
  static override examples = ['<%= config.bin %> chain info', '<%= config.bin %> chain info --json'];
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(ChainInfo);
    const { showChain } = await import('../../chain/info.js');
    await showChain(flags, this);
  }
}

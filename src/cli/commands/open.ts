import { openFlags } from '../stack/watching/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Open extends BaseCommand {
  static override summary = 'Open a service in the browser, or print its address.';
  static override examples = ['<%= config.bin %> open', '<%= config.bin %> open bob --print'];
  static override args = { SERVICE: argument('party, chain or store; default: the first party') };
  static override flags = openFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Open);
    const { openPage } = await import('../stack/watching/open-page.js');
    await openPage({ ...flags, service: args.SERVICE }, this);
  }
}

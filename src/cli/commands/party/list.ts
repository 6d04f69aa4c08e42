import { BaseCommand } from '../../base.js';
import { stackFlags, tableFlags } from '../../flags.js';

export default class PartyList extends BaseCommand {
  static override summary = 'List the parties of a stack and their nodes.';
  static override examples = ['<%= config.bin %> party list', '<%= config.bin %> party list --json'];
  static override flags = { ...stackFlags, ...tableFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(PartyList);
    const { listParties } = await import('../../stack/watching/party-list.js');
    await listParties({ ...flags, hasHeaders: !flags['no-headers'] }, this);
  }
}

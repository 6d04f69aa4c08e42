import { partyStartFlags } from '../../party/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PartyStart extends BaseCommand {
  static override summary = 'Start the stopped node of a party.';
  static override examples = ['<%= config.bin %> party start bob'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = partyStartFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyStart);
    const { startOne } = await import('../../party/verbs.js');
    await this.answer(await startOne({ ...flags, name: args.NAME }, this));
    await this.suggest('party list');
  }
}

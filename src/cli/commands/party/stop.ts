import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class PartyStop extends BaseCommand {
  static override summary = 'Stop the node of a party.';
  static override examples = ['<%= config.bin %> party stop bob'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyStop);
    const { stopOne } = await import('../../party/verbs.js');
    await this.answer(await stopOne({ ...flags, name: args.NAME }, this));
    await this.suggest(`party start ${args.NAME}`);
  }
}

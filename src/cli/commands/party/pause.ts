import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class PartyPause extends BaseCommand {
  static override summary = 'Pause the node of a party without stopping it.';
  static override examples = ['<%= config.bin %> party pause bob'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyPause);
    const { pauseOne } = await import('../../party/verbs.js');
    await this.answer(await pauseOne({ ...flags, name: args.NAME }, this));
    await this.suggest(`party resume ${args.NAME}`);
  }
}

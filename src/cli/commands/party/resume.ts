import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class PartyResume extends BaseCommand {
  static override summary = 'Resume the paused node of a party.';
  static override examples = ['<%= config.bin %> party resume bob'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyResume);
    const { resumeOne } = await import('../../party/verbs.js');
    await this.answer(await resumeOne({ ...flags, name: args.NAME }, this));
    await this.suggest('status');
  }
}

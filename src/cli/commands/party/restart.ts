import { BaseCommand } from '../../base.js';
import { progressFlags, requiredArgument, stackFlags, startTimeoutFlag } from '../../flags.js';

export default class PartyRestart extends BaseCommand {
  static override summary = 'Restart the node of a party.';
  static override examples = ['<%= config.bin %> party restart bob'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = { ...stackFlags, timeout: startTimeoutFlag, ...progressFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyRestart);
    const { restartOne } = await import('../../party/verbs.js');
    await this.answer(await restartOne({ ...flags, name: args.NAME }, this));
    await this.suggest('status');
  }
}

import { BaseCommand } from '../../base.js';
import { faultFlags, requiredArgument } from '../../flags.js';

export default class FaultDrop extends BaseCommand {
  static override summary = 'Block the shared store for a party.';
  static override description = 'The party receives no broadcasts or files of others until the fault is cleared.';
  static override examples = ['<%= config.bin %> fault drop bob', '<%= config.bin %> fault drop bob --for 1m'];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = faultFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FaultDrop);
    const { setOne } = await import('../../fault/faults.js');
    await this.answer(await setOne({ ...flags, kind: 'drop', from: args.NAME }, this));
    await this.suggest('fault clear');
  }
}

import { BaseCommand } from '../../base.js';
import { argument, stackFlags } from '../../flags.js';

export default class FaultClear extends BaseCommand {
  static override summary = 'Clear one fault or all.';
  static override examples = ['<%= config.bin %> fault clear', '<%= config.bin %> fault clear f1'];
  static override args = { ID: argument('id of the fault; default: all') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FaultClear);
    const { clearSome } = await import('../../fault/faults.js');
    await this.answer(await clearSome({ ...flags, id: args.ID }, this));
    await this.suggest('wait --for idle');
  }
}

import { BaseCommand } from '../../base.js';
import { faultFlags, linkFlags, requiredArgument } from '../../flags.js';

export default class FaultDelay extends BaseCommand {
  static override summary = 'Slow down the link between two parties.';
  static override examples = ['<%= config.bin %> fault delay alice bob 2s'];
  static override args = {
    A: requiredArgument('name of the party'),
    B: requiredArgument('name of the party'),
    DELAY: requiredArgument('delay of messages and files: 500ms, 2s'),
  };
  static override flags = { ...faultFlags, ...linkFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FaultDelay);
    const { setOne } = await import('../../fault/faults.js');
    await this.answer(await setOne({ ...flags, kind: 'delay', from: args.A, to: args.B, delay: args.DELAY }, this));
    await this.suggest('fault clear');
  }
}

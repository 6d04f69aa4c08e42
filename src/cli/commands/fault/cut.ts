import { BaseCommand } from '../../base.js';
import { faultFlags, linkFlags, requiredArgument } from '../../flags.js';

export default class FaultCut extends BaseCommand {
  static override summary = 'Cut the link between two parties.';
  static override description = [
    'Private messages and their files use the link; broadcasts use the shared store. Transfers in progress are',
    'aborted.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> fault cut alice bob',
    '<%= config.bin %> fault cut alice bob --one-way --for 30s',
  ];
  static override args = { A: requiredArgument('name of the party'), B: requiredArgument('name of the party') };
  static override flags = { ...faultFlags, ...linkFlags };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FaultCut);
    const { setOne } = await import('../../fault/faults.js');
    await this.answer(await setOne({ ...flags, kind: 'cut', from: args.A, to: args.B }, this));
    await this.suggest('fault clear');
  }
}

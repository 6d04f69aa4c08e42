import { admitFlags } from '../../party/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PartyAdmit extends BaseCommand {
  static override summary = 'Admit a party on another machine to the network.';
  static override description =
    'FILE is the request that "party join" has written. Run this on the stack of the operator.';
  static override examples = ['<%= config.bin %> party admit dave.join.json'];
  static override args = { FILE: requiredArgument('request to join') };
  static override flags = admitFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyAdmit);
    const { admitOne } = await import('../../party/hosts.js');
    await this.answer(await admitOne(args.FILE, flags, this));
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PartyJoin extends BaseCommand {
  static override summary = 'Make the stack of one party from an invitation.';
  static override description =
    'Its keys and certificate are made on this machine. The file it writes has no secret: a member registers the ' +
    'party with it (party admit), and then stack start runs the node, which reads the whole history.';
  static override examples = ['<%= config.bin %> party join dave.invite.json --advertise 10.0.0.5'];
  static override args = { FILE: requiredArgument('the invitation') };
  static override flags = {
    advertise: Flags.string({ required: true, description: 'name or address by which the others reach this machine' }),
    bind: Flags.string({ description: 'address to listen on; default: that of --advertise' }),
    name: Flags.string({ description: 'name of the stack; default: that of the party' }),
    org: Flags.string({ description: 'organisation in the network; default: the name of the party' }),
    output: Flags.string({ char: 'o', description: 'file to write; default: NAME.join.json' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyJoin);
    const { joinOne } = await import('../../party/hosts.js');
    await this.answer(await joinOne(args.FILE, flags, this));
  }
}

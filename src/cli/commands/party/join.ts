import { joinFlags } from '../../party/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PartyJoin extends BaseCommand {
  static override summary = 'Create the stack of one party from an invitation.';
  static override description = [
    'Creates keys and certificate on this machine. The file that it writes has no secrets; the operator registers the',
    'party with "party admit". Then "start" runs the node, which reads the whole history.',
  ].join(' ');
  static override examples = ['<%= config.bin %> party join dave.invite.json --advertise 10.0.0.5'];
  static override args = { FILE: requiredArgument('invitation') };
  static override flags = joinFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyJoin);
    const { joinOne } = await import('../../party/hosts.js');
    await this.answer(await joinOne(args.FILE, flags, this));
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class PartyInvite extends BaseCommand {
  static override summary = 'Write an invitation for a party on another machine.';
  static override description = [
    'The file has the addresses of contracts, chain and store, and no secrets. Other machines must reach chain and',
    'store: set bind, advertise, auth and trustedNetwork, or use an external chain and store.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> party invite dave',
    '<%= config.bin %> party invite dave -o for-dave.json',
  ];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'file to write; default: NAME.invite.json' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyInvite);
    const { inviteOne } = await import('../../party/hosts.js');
    await this.answer(await inviteOne(args.NAME, flags, this));
  }
}

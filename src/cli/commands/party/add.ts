import { partyAddFlags } from '../../party/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PartyAdd extends BaseCommand {
  static override summary = 'Add a party to a stack, also while it runs.';
  static override description = [
    'The new member reads the whole history except earlier private messages. If the command is interrupted, repeat',
    'it. A member cannot be removed.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> party add dave',
    '<%= config.bin %> party add dave --org "dave-ltd" --node dave-1',
    '<%= config.bin %> party add erin --key file:./erin.key',
  ];
  static override args = { NAME: requiredArgument('name of the new party') };
  static override flags = partyAddFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyAdd);
    const { addOne } = await import('../../party/add.js');
    await this.answer(await addOne({ ...flags, name: args.NAME }, this));
    await this.suggest('status', `broadcast '{"hello":"${args.NAME}"}' -p ${args.NAME}`);
  }
}

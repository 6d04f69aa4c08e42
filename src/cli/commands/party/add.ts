import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { progressFlags, requiredArgument, stackFlags, startTimeoutFlag } from '../../flags.js';

export default class PartyAdd extends BaseCommand {
  static override summary = 'Add a party, also to a stack that runs; nothing is restarted.';
  static override description =
    'The new member reads everything from the first block, and no earlier private message. A call that was ' +
    'interrupted continues when it is repeated. A member stays one.';
  static override examples = [
    '<%= config.bin %> party add dave',
    '<%= config.bin %> party add dave --org "dave-ltd" --node dave-1',
    '<%= config.bin %> party add erin --key file:./erin.key',
  ];
  static override args = { NAME: requiredArgument('name of the new party') };
  static override flags = {
    ...stackFlags,
    org: Flags.string({ description: 'organisation in the network; default: the name' }),
    node: Flags.string({ description: 'node in the network; default: the name and -node' }),
    port: Flags.integer({ min: 1_024, max: 65_535, description: 'port of its API; default: the next of the stack' }),
    key: Flags.string({ description: 'file:PATH of the private key to sign with; default: a new one' }),
    database: Flags.string({ description: 'its own: sqlite3, or postgres=file:PATH; default: that of the stack' }),
    external: Flags.boolean({ hidden: true, description: 'parties elsewhere are invited' }),
    timeout: startTimeoutFlag,
    ...progressFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PartyAdd);
    const { addOne } = await import('../../party/add.js');
    await this.answer(await addOne({ ...flags, name: args.NAME }, this));
    await this.suggest('status', `broadcast '{"hello":"${args.NAME}"}' -p ${args.NAME}`);
  }
}

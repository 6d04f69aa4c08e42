import { listenFlags } from '../../contracts/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class ContractListen extends BaseCommand {
  static override summary = 'Listen to an event of a contract.';
  static override description = [
    'NAME is a contract API. From now on the event arrives as blockchain_event_received in the event stream of the',
    'node, in order with the other events of its topic. With --quiet, it prints only the id of the listener.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> contract listen escrow Released --topic escrow',
    '<%= config.bin %> contract listen escrow Opened --name opened --first oldest -p bob',
  ];
  static override args = {
    NAME: requiredArgument('name of the contract API'),
    EVENT: requiredArgument('event of the contract'),
  };
  static override flags = listenFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContractListen);
    const { listenToContract } = await import('../../contracts/listen.js');
    await listenToContract({ ...flags, api: args.NAME, event: args.EVENT }, this);
    await this.suggest(`events tail --type '^blockchain_event_received$'`);
  }
}

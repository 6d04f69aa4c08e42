import { callFlags } from '../../contracts/flags.js';
import { BaseCommand } from '../../base.js';
import { methodArguments } from '../../flags.js';

export default class ContractCall extends BaseCommand {
  static override summary = 'Call a contract method and wait for the transaction.';
  static override description = [
    'NAME is a contract API. Arguments follow METHOD: numbers as digits, addresses or names of parties, lists and',
    'tuples as JSON. With --quiet, it prints only the id of the operation. Exit codes: 0 done, 5 timeout, 7 refused',
    'by the node or the contract.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> contract call escrow release 1',
    '<%= config.bin %> contract call escrow open bob --value 1000 -p alice --json',
  ];
  static override usage = 'contract call NAME METHOD [ARGS]';
  static override strict = false;
  static override args = methodArguments;
  static override flags = callFlags;

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ContractCall);
    const { callContract } = await import('../../contracts/call.js');
    const options = { ...flags, api: args.NAME, method: args.METHOD, arguments: argv.slice(2).map(String) };
    await callContract(options, this);
  }
}

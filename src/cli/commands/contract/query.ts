import { BaseCommand } from '../../base.js';
import { methodArguments, targetFlags } from '../../flags.js';

export default class ContractQuery extends BaseCommand {
  static override summary = 'Call a contract method without a transaction.';
  static override description = [
    'NAME is a contract API. Arguments follow METHOD: numbers as digits, addresses or names of parties, lists and',
    'tuples as JSON.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> contract query escrow deal 1',
    '<%= config.bin %> contract query coins balanceOf bob -q',
  ];
  static override usage = 'contract query NAME METHOD [ARGS]';
  static override strict = false;
  static override args = methodArguments;
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(ContractQuery);
    const { queryContract } = await import('../../contracts/query.js');
    const options = { ...flags, api: args.NAME, method: args.METHOD, arguments: argv.slice(2).map(String) };
    await queryContract(options, this);
  }
}

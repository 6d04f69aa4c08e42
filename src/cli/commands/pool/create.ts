import { poolFlags } from '../../tokens/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PoolCreate extends BaseCommand {
  static override summary = 'Create a token pool and wait until it is active.';
  static override description = [
    'The tokens of a fungible pool are interchangeable; in a nonfungible pool each has an index. All parties see the',
    'pool and its operations, unless --no-publish. To use an existing contract, set the connector erc20_erc721 and',
    '--config address=0x…. Exit codes: 0 active, 5 timeout, 7 refused or rejected.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> pool create coins --type fungible',
    '<%= config.bin %> pool create deeds --type nonfungible --wait all',
    '<%= config.bin %> pool create gold --type fungible --connector erc20_erc721 --symbol AU',
  ];
  static override args = { NAME: requiredArgument('name of the pool') };
  static override flags = poolFlags;

  protected override async examine(): Promise<void> {
    const { args, flags } = await this.parse(PoolCreate);
    const { checkPool } = await import('../../tokens/pools/pool-create.js');
    checkPool({ ...flags, name: args.NAME });
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PoolCreate);
    const { createPool } = await import('../../tokens/pools/pool-create.js');
    await createPool({ ...flags, name: args.NAME }, this);
    await this.suggest(`mint ${flags.type === 'fungible' ? 100 : 1} --pool ${args.NAME}`);
  }
}

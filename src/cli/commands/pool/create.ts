import { poolFlags } from '../../tokens/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class PoolCreate extends BaseCommand {
  static override summary = 'Create a pool of tokens, and wait until it is active.';
  static override description = [
    'Tokens of a fungible pool are alike; of a nonfungible pool each has an index of its own. All parties see the pool',
    'and everything that happens in it, unless --no-publish. A contract that is there already becomes a pool with the',
    'connector erc20_erc721 and --config address=0x…. Exit codes: 0 active, 5 time is up, 7 refused or rejected.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> pool create coins --type fungible',
    '<%= config.bin %> pool create deeds --type nonfungible --wait all',
    '<%= config.bin %> pool create gold --type fungible --connector erc20_erc721 --symbol AU',
  ];
  static override args = { NAME: requiredArgument('name of the pool') };
  static override flags = poolFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PoolCreate);
    const { createPool } = await import('../../tokens/pools/pool-create.js');
    await createPool({ ...flags, name: args.NAME }, this);
    await this.suggest(`mint ${flags.type === 'fungible' ? 100 : 1} --pool ${args.NAME}`);
  }
}

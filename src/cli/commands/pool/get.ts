import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class PoolGet extends BaseCommand {
  static override summary = 'Show a token pool with its supply and holders.';
  static override examples = ['<%= config.bin %> pool get coins', '<%= config.bin %> pool get coins -p bob --json'];
  static override args = { NAME: requiredArgument('name or id of the pool') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PoolGet);
    const { openTarget } = await import('../../requests/target.js');
    const { withChoices } = await import('../../tokens/hints.js');
    const { readHoldings } = await import('../../tokens/holdings.js');
    const { readOwners } = await import('../../requests/owners.js');
    const { poolText, readState, withHoldings } = await import('../../tokens/pools/pool-table.js');
    const target = await openTarget(flags, this);
    const { client } = target.party;
    const found = await client.getTokenPool({ path: { nameOrId: args.NAME } }).catch(async (error: unknown) => {
      throw await withChoices(error, { pool: args.NAME }, target, this.program);
    });
    const [holdings, owners, state] = await Promise.all([
      readHoldings(client, found.value.id),
      readOwners(client),
      readState(client, found.value),
    ]);
    await this.answer({
      json: withHoldings(found.text, holdings),
      text: poolText(found.value, { ...holdings, state }, owners),
      primary: found.value.id,
    });
  }
}

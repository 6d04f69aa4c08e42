import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class DataGet extends BaseCommand {
  static override summary = 'Show one data item with its value.';
  static override description = 'With --quiet, it prints only the value, as it was sent.';
  static override examples = ['<%= config.bin %> data get 52d9e1f0', '<%= config.bin %> data get 52d9e1f0 -q | jq .'];
  static override args = { ID: requiredArgument('id of the data') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataGet);
    const { openTarget } = await import('../../requests/target.js');
    const { resolveDataId } = await import('../../requests/ids.js');
    const { dataText } = await import('../../data/table.js');
    const { party } = await openTarget(flags, this);
    const dataid = await resolveDataId(party.client, args.ID);
    const { text, value } = await party.client.getData({ path: { dataid } });
    await this.answer({ json: text, text: dataText(value), primary: value.value });
  }
}

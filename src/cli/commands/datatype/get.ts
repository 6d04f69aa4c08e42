import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class DatatypeGet extends BaseCommand {
  static override summary = 'Show a datatype with its schema.';
  static override description =
    'Without a version, it shows the newest. With --quiet, it prints only the schema, as it was defined.';
  static override examples = [
    '<%= config.bin %> datatype get order',
    '<%= config.bin %> datatype get order@1.0 -q | jq .',
  ];
  static override args = { NAME: requiredArgument('name, or name@version') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DatatypeGet);
    const { openTarget } = await import('../../requests/target.js');
    const { datatypeText, resolveDatatype } = await import('../../datatypes/table.js');
    const { party } = await openTarget(flags, this);
    const path = await resolveDatatype(party, args.NAME);
    const { text, value } = await party.client.getDatatype({ path });
    await this.answer({ json: text, text: datatypeText(value), primary: value.value });
  }
}

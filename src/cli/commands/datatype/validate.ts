import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class DatatypeValidate extends BaseCommand {
  static override summary = 'Ask whether a value conforms to a datatype; stores nothing.';
  static override description = 'Prints what is wrong, a line each, and exits with 7 when something is.';
  static override examples = [
    `<%= config.bin %> datatype validate order@1.0 '{"order":17}'`,
    '<%= config.bin %> datatype validate order@1.0 @order.json --json',
  ];
  static override args = {
    DATATYPE: requiredArgument('name@version'),
    PAYLOAD: requiredArgument('JSON, text, @FILE or - for stdin'),
  };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DatatypeValidate);
    const { validateValue } = await import('../../datatypes/validate.js');
    await validateValue({ ...flags, datatype: args.DATATYPE, payload: args.PAYLOAD }, this);
  }
}

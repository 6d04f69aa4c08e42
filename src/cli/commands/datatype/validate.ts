import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class DatatypeValidate extends BaseCommand {
  static override summary = 'Check a value against a datatype; store nothing.';
  static override description = 'Prints each problem on a line. Exit code 7 if the value is invalid.';
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

import { datatypeFlags } from '../../datatypes/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class DatatypeDefine extends BaseCommand {
  static override summary = 'Define a datatype for all parties.';
  static override description = [
    'FILE is a JSON Schema (draft-07, 2019-09 or 2020-12). The first definition of a name and version in chain order',
    'is final at every party. Exit code 7 if another definition was first.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> datatype define order-1.0.json --wait all',
    '<%= config.bin %> datatype define schema.json --name order --version 1.1',
    `echo '{"type":"object"}' | <%= config.bin %> datatype define - --name any --version 1`,
  ];
  static override args = { FILE: requiredArgument('file with a JSON Schema, or - for stdin') };
  static override flags = datatypeFlags;

  protected override async examine(): Promise<void> {
    const { args, flags } = await this.parse(DatatypeDefine);
    const { checkDefinition } = await import('../../datatypes/define.js');
    await checkDefinition({ ...flags, file: args.FILE });
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DatatypeDefine);
    const { defineDatatype } = await import('../../datatypes/define.js');
    const name = await defineDatatype({ ...flags, file: args.FILE }, this);
    await this.suggest('datatype list', `broadcast '{…}' --datatype ${name}`);
  }
}

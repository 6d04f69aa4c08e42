import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, tableFlags, targetFlags } from '../flags.js';

export default class Trigger extends BaseCommand {
  static override summary = 'Run a prepared scenario and check its outcome.';
  static override description = [
    'A trigger is a YAML file with steps, from the package or from triggers/ beside stack.yaml or in this directory.',
    'Every run has a name, {{run}}, in its tags and topics. Exit codes: those of the steps; 8 if an assertion is',
    'not met.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> trigger --list',
    '<%= config.bin %> trigger hello',
    `<%= config.bin %> trigger hello --override 'send.broadcast.payload={"hello":"mars"}'`,
    '<%= config.bin %> trigger blocked-topic --skip heal',
  ];
  static override args = { NAME: argument('name or path of a trigger') };
  static override flags = {
    ...targetFlags,
    list: Flags.boolean({ description: 'list the triggers' }),
    override: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      default: [],
      description: 'STEP.COMMAND.FLAG=value; may be repeated',
    }),
    skip: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      default: [],
      description: 'skip the step of this name; may be repeated',
    }),
    within: Flags.string({ default: '30s', description: 'time limit for each assertion' }),
    ...tableFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Trigger);
    const { NAME: name } = args;
    if (flags.list || name === undefined) {
      const { listTriggers } = await import('../trigger/list.js');
      await listTriggers({ ...flags, hasHeaders: !flags['no-headers'] }, this);
      return;
    }
    const { runTrigger } = await import('../trigger/trigger.js');
    await runTrigger({ ...flags, name }, this);
  }
}

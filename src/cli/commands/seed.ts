import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { requiredArgument, targetFlags } from '../flags.js';

export default class Seed extends BaseCommand {
  static override summary = 'Apply the steps of YAML files, each at most once.';
  static override description = [
    'A FILE is a list of steps {party, COMMAND: {its flags by name}}; "help seeds" has more. Each step',
    'waits for all parties, unless it says otherwise. Repeated, a step is skipped: its idempotency key is made of file',
    'name, position and content. Exit codes: those of the steps, 10 for another definition or pool of the same name.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> seed seed/datatypes.yaml seed/opening.yaml',
    '<%= config.bin %> seed seed.yaml --dry-run',
    `echo '- {party: alice, mint: {amount: 100, pool: coins, to: bob}}' > seed.yaml`,
  ];
  static override strict = false;
  static override usage = 'seed FILE…';
  static override args = { FILE: requiredArgument('a YAML file with a list of steps; may be repeated') };
  static override flags = {
    ...targetFlags,
    'dry-run': Flags.boolean({ description: 'check the files and show the steps, apply none' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Seed);
    const { applySeeds } = await import('../seed/seed.js');
    await applySeeds({ ...flags, files: argv.map(String) }, this);
  }
}

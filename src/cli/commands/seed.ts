import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { requiredArgument, targetFlags } from '../flags.js';

export default class Seed extends BaseCommand {
  static override summary = 'Apply the steps of YAML files, each once.';
  static override description = [
    'A FILE is a list of steps {party, COMMAND: {its flags by name}}; see "help seeds". Each step waits for all',
    'parties unless it says otherwise. A repeated step is skipped: its idempotency key is made from file name,',
    'position and content. Exit codes: those of the steps; 10 if a definition or pool of the same name differs.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> seed seed/datatypes.yaml seed/opening.yaml',
    '<%= config.bin %> seed seed.yaml --dry-run',
    `echo '- {party: alice, mint: {amount: 100, pool: coins, to: bob}}' > seed.yaml`,
  ];
  static override strict = false;
  static override usage = 'seed FILE…';
  static override args = { FILE: requiredArgument('YAML file with a list of steps; may be repeated') };
  static override flags = {
    ...targetFlags,
    'dry-run': Flags.boolean({ description: 'check the files and show the steps' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Seed);
    const { applySeeds } = await import('../seed/seed.js');
    await applySeeds({ ...flags, files: argv.map(String) }, this);
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, stackFlags } from '../flags.js';

export default class Logs extends BaseCommand {
  static override summary = 'Print what the services have logged, stopped ones too.';
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs alice bob -f',
    '<%= config.bin %> logs chain --level warn --since 10m',
  ];
  static override strict = false;
  static override args = { SERVICE: argument('parties, chain, store, supervisor; default: all') };
  static override flags = {
    ...stackFlags,
    follow: Flags.boolean({ char: 'f', description: 'go on with what comes' }),
    lines: Flags.integer({
      char: 'n',
      min: 0,
      max: 1_000_000,
      default: 100,
      description: 'last lines of each service',
    }),
    since: Flags.string({ description: 'from this time: 10m ago, or ISO' }),
    until: Flags.string({ description: 'up to this time: 10m ago, or ISO' }),
    level: Flags.option({ options: ['debug', 'info', 'warn', 'error'] as const })({
      description: 'this level and above',
    }),
    grep: Flags.string({ description: 'only records that match this expression' }),
    invert: Flags.boolean({ description: 'only records that do not match', dependsOn: ['grep'] }),
    message: Flags.string({ description: 'only records that name this message' }),
    request: Flags.string({ description: 'only records of this request, whose id a node answers with' }),
    'no-prefix': Flags.boolean({ description: 'without the name of the service' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Logs);
    const { showLogs } = await import('../stack/watching/logs.js');
    await showLogs({ ...flags, services: argv.map(String) }, this);
  }
}

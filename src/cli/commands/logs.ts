import { logsFlags } from '../stack/watching/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Logs extends BaseCommand {
  static override summary = 'Print the logs of the services.';
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs alice bob -f',
    '<%= config.bin %> logs chain --level warn --since 10m',
  ];
  static override strict = false;
  static override args = { SERVICE: argument('parties, chain, store, supervisor; default: all') };
  static override flags = logsFlags;

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Logs);
    const { showLogs } = await import('../stack/watching/logs.js');
    await showLogs({ ...flags, services: argv.map(String) }, this);
  }
}

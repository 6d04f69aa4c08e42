import { startFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Start extends BaseCommand {
  static override summary = 'Start a stack, repair it if needed, and wait until it works.';
  static override examples = [
    '<%= config.bin %> start',
    '<%= config.bin %> start dev --timeout 2m',
    '<%= config.bin %> start --init ci --json',
    '<%= config.bin %> start -F',
    '<%= config.bin %> start --external bob',
  ];
  static override hiddenAliases = ['up'];
  static override args = { NAME: argument('name of the stack') };
  static override flags = startFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Start);
    const { startOne } = await import('../stack/starting/start.js');
    const isStarted = await startOne({ ...flags, name: args.NAME }, this);
    if (!isStarted || flags.foreground) return;
    await this.suggest(`broadcast '{"hello":"world"}' --wait all`, 'events tail --all-parties');
  }
}

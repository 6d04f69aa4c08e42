import { initFlags } from '../stack/making/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Init extends BaseCommand {
  static override summary = 'Create a stack with its keys; start nothing.';
  static override description =
    'Without NAME, it asks for name, parties and tokens on a terminal, and uses the defaults elsewhere.';
  static override examples = [
    '<%= config.bin %> init dev',
    '<%= config.bin %> init trade -n buyer,seller,bank --start',
    '<%= config.bin %> init --here --if-missing',
    '<%= config.bin %> init dev --firefly --start',
    '<%= config.bin %> init boxed --runtime docker --start',
    '<%= config.bin %> init live --chain http://127.0.0.1:8545 --set chain.ws=ws://127.0.0.1:8546',
    '<%= config.bin %> init live --store http://127.0.0.1:5001',
    '<%= config.bin %> init live --db postgres=file:database.url',
  ];
  static override args = { NAME: argument('name of the stack; default: dev') };
  static override flags = initFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Init);
    const { completeInit } = await import('../stack/making/init-questions.js');
    const { initStack } = await import('../stack/making/init.js');
    const complete = await completeInit({ ...flags, name: args.NAME }, this);
    const name = await initStack(complete, this);
    if (flags['dry-run']) return;
    if (!flags.start) await this.suggest(`start ${name}`);
    else await this.suggestFor(name, `broadcast '{"hello":"world"}' --wait all`, 'events tail');
  }
}

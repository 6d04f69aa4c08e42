import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, confirmFlags, progressFlags, startTimeoutFlag } from '../flags.js';

export default class Init extends BaseCommand {
  static override summary = 'Make a stack: its definition and keys. Nothing is started.';
  static override description =
    'Without NAME it asks a person at a terminal for name, parties and tokens; elsewhere it takes the defaults.';
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
  static override flags = {
    template: Flags.string({ char: 't', description: 'see template list; or the path of one' }),
    parties: Flags.string({ char: 'n', description: 'how many, or their names: 3 or alice,bob' }),
    set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'a setting: dotted.path=value' }),
    chain: Flags.string({
      description: "anvil for one of the stack's own, or the address of one that others run: https://HOST:PORT",
    }),
    store: Flags.string({ description: 'an IPFS node (Kubo) that others run: http://HOST:5001, or ipfs=API,GATEWAY' }),
    runtime: Flags.string({ options: ['process', 'docker'], description: 'where its services run' }),
    db: Flags.string({ description: 'the database of the nodes: sqlite3, or postgres=file:PATH' }),
    'port-base': Flags.string({ description: 'first port, or auto' }),
    firefly: Flags.boolean({ description: "answer as FireFly 1.4 does, on FireFly's ports (5000, 5001, …)" }),
    here: Flags.boolean({ description: 'put stack.yaml into this directory' }),
    'if-missing': Flags.boolean({ description: 'be content with a stack that is there already' }),
    'dry-run': Flags.boolean({ description: 'check, write nothing' }),
    start: Flags.boolean({ description: 'start it too', exclusive: ['dry-run'] }),
    timeout: startTimeoutFlag,
    ...progressFlags,
    yes: Flags.boolean({ char: 'y', description: 'ask nothing: take the defaults' }),
    'no-input': confirmFlags['no-input'],
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Init);
    const { completeInit } = await import('../stack/making/init-questions.js');
    const { initStack } = await import('../stack/making/init.js');
    const given = { ...flags, name: args.NAME, sets: flags.set ?? [], portBase: flags['port-base'] };
    const words = await completeInit(given, this);
    await initStack(words, this);
    if (!flags.start) await this.suggest(`start${words.name === undefined ? '' : ` ${words.name}`}`);
    else await this.suggest(`broadcast '{"hello":"world"}' --wait all`, 'events tail');
  }
}

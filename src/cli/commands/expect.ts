import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, targetFlags } from '../flags.js';

export default class Expect extends BaseCommand {
  static override summary = 'Check assertions about messages, balances and events.';
  static override description = [
    'Each ASSERTION is an argument or a line of --file; see "help assertions". All are checked until each is met or',
    'the time is up. Exit codes: 0 all met, 2 bad syntax, 8 not met.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> expect message tag=order-7 confirmed on all',
    `<%= config.bin %> expect 'events message_confirmed tag=order >= 10 on bob' 'balance coins bob = 100'`,
    '<%= config.bin %> expect order topic=orders same on all --within 30s',
    '<%= config.bin %> expect data 3fa85f64 equals @order.json -p bob',
    '<%= config.bin %> expect --file checks.txt --json',
  ];
  static override strict = false;
  static override args = { ASSERTION: argument('assertion, or its words') };
  static override flags = {
    ...targetFlags,
    file: Flags.string({ char: 'f', description: 'file with an assertion per line, - for stdin' }),
    within: Flags.string({ default: '5s', description: 'time limit: 500ms, 30s, 2m' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Expect);
    const { expectAll } = await import('../expect/expect.js');
    await expectAll({ ...flags, words: argv.map(String) }, this);
  }
}

import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Cheat extends BaseCommand {
  static override summary = 'Show examples to type.';
  static override description = [
    'The examples fit a stack of the template tokens: parties alice, bob and carol, pools coins and deeds. With',
    '--quiet, it prints only the commands or, without TOPIC, the topics.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> cheat',
    '<%= config.bin %> cheat tokens',
    '<%= config.bin %> cheat faults -q',
  ];
  static override args = {
    TOPIC: argument('messages, events, tokens, faults, testing or ci; default: all'),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(Cheat);
    const { showExamples } = await import('../cheat/cheat.js');
    await this.answer(showExamples(args.TOPIC, this));
  }
}

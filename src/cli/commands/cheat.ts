import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Cheat extends BaseCommand {
  static override summary = 'Show worked examples, to be typed as they are.';
  static override description =
    'They fit a stack of the template tokens: parties alice, bob and carol, pools coins and deeds. ' +
    'With --quiet only the commands, or without TOPIC only the topics.';
  static override examples = [
    '<%= config.bin %> cheat',
    '<%= config.bin %> cheat tokens',
    '<%= config.bin %> cheat faults -q',
  ];
  static override args = {
    TOPIC: argument('messages, events, tokens, faults, testing or ci; default: all of them'),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(Cheat);
    const { showExamples } = await import('../cheat/cheat.js');
    await this.answer(showExamples(args.TOPIC, this));
  }
}

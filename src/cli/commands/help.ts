import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Help extends BaseCommand {
  static override summary = 'Show the help of a command or topic.';
  static override description = [
    'Topics: exit-codes, json, payloads, filters, subscriptions, assertions, seeds, triggers, templates, stack-yaml,',
    'env.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> help',
    '<%= config.bin %> help events tail',
    '<%= config.bin %> help exit-codes',
  ];
  static override strict = false;
  static override args = { COMMAND: argument('command or topic') };

  async run(): Promise<void> {
    const { argv } = await this.parse(Help);
    const { helpTopic } = await import('../help/help-topics.js');
    const { showHelp } = await import('../help/show-help.js');
    const words = argv.map(String);
    const text = helpTopic(words.join(' '));
    if (text !== undefined) await this.answer({ json: { topic: words.join(' '), text }, text, primary: text });
    else await showHelp(this.config, words.join(':'), this.output);
  }
}

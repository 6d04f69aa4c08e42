import { Help } from '@oclif/core/help';

/** The help of commands and topics. A topic lists every command below it once, as it is typed. */
export class CommandHelp extends Help {
  text = '';

  protected override log(...lines: string[]): void {
    this.text += `${lines.join(' ')}\n`;
  }

  protected override showTopicHelp(topic: { readonly name: string }): Promise<void> {
    this.log(this.formatTopic(topic));
    this.log(this.formatCommands(this.sortedCommands.filter(({ id }) => id.startsWith(`${topic.name}:`))));
    this.log('');
    return Promise.resolve();
  }
}

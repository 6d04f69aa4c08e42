import { Help } from '@oclif/core/help';

/** The help of commands and topics. A topic lists every command below it, as it is typed. */
export class CommandHelp extends Help {
  text = '';

  protected override log(...lines: string[]): void {
    this.text += `${lines.join(' ')}\n`;
  }

  protected override showTopicHelp(topic: { readonly name: string }): Promise<void> {
    this.log(this.formatTopic(topic));
    const depth = topic.name.split(':').length + 1;
    const commands = this.sortedCommands.filter(({ id }) => id.startsWith(`${topic.name}:`));
    const direct = commands.filter(({ id }) => id.split(':').length === depth);
    // A deeper name may exceed its column, so that the other summaries fit a line of 80.
    const width = Math.max(...direct.map(({ id }) => id.length));
    const lines = commands.map(
      (command) => `${command.id.replaceAll(':', ' ').padEnd(width)}  ${this.summary(command) ?? ''}`,
    );
    this.log(this.section('COMMANDS', lines.join('\n')));
    this.log('');
    return Promise.resolve();
  }
}

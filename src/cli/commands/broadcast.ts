import type { SendFlags } from '../messages/sending/send-flags.js';
import { BaseCommand } from '../base.js';
import { argument, sendFlags } from '../flags.js';

export default class Broadcast extends BaseCommand {
  static override summary = 'Send a message to all parties and wait for confirmation.';
  static override description = [
    'PAYLOAD is JSON, other text (sent as a string), @FILE or - (stdin). JSON is sent as written, with its key order',
    'and number spelling. --file sends files of any size. With --count or --expand, {{n}}, {{uuid}}, {{now}} and',
    '{{rand 1 100}} are replaced in values, tag, topics and idempotency key. Exit codes: 0 confirmed, 5 timeout, 7',
    'refused or rejected.',
  ].join(' ');
  static override examples = [
    `<%= config.bin %> broadcast '{"hello":"world"}' --wait all`,
    `<%= config.bin %> broadcast @order.json --topic orders --tag new_order -p bob`,
    `<%= config.bin %> broadcast '{"order":17}' --datatype order@1.0`,
    `<%= config.bin %> broadcast 'the plan' -f plan.pdf -f map.png`,
    `<%= config.bin %> broadcast '{"n":{{n}}}' --count 100 --rate 20/s`,
    `tail -f app.ndjson | <%= config.bin %> broadcast --lines`,
  ];
  static override args = { PAYLOAD: argument('JSON, text, @FILE or - for stdin') };
  static override flags = sendFlags;

  protected override async examine(): Promise<void> {
    const { checkMessage } = await import('../messages/sending/send-message.js');
    await checkMessage(await this.typed(), this.program);
  }

  private async typed(): Promise<SendFlags> {
    const { flags, raw } = await this.parse(Broadcast);
    const { itemWords } = await import('../messages/sending/send-flags.js');
    return { ...flags, items: itemWords(raw), recipients: undefined };
  }

  async run(): Promise<void> {
    const flags = await this.typed();
    const { sendMessage } = await import('../messages/sending/send-message.js');
    await sendMessage(flags, this);
    const isOne = flags.count === undefined && !flags.lines;
    if (isOne && !flags.curl && !flags['dry-run']) await this.suggest('messages list', 'events tail --all-parties');
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, targetFlags, timeoutFlag } from '../flags.js';

export default class Broadcast extends BaseCommand {
  static override summary = 'Send a message to all parties and wait until it is confirmed.';
  static override description = [
    'PAYLOAD is JSON, or any other text as a string; @FILE and - (stdin) work too. JSON is sent as it is',
    'written: key order',
    'and number spelling stay. With --count or --expand, {{n}}, {{uuid}}, {{now}} and {{rand 1 100}} are',
    'replaced in values,',
    'tag, topics and idempotency key. Exit codes: 0 confirmed, 5 time is up, 7 refused or rejected.',
  ].join(' ');
  static override examples = [
    `<%= config.bin %> broadcast '{"hello":"world"}' --wait all`,
    `<%= config.bin %> broadcast @order.json --topic orders --tag new_order -p bob`,
    `<%= config.bin %> broadcast '{"n":{{n}}}' --count 100 --rate 20/s`,
    `tail -f app.ndjson | <%= config.bin %> broadcast --lines`,
  ];
  static override args = { PAYLOAD: argument('JSON, text, @FILE or - for stdin') };
  static override flags = {
    ...targetFlags,
    data: Flags.string({
      char: 'd',
      multiple: true,
      multipleNonGreedy: true,
      description: 'one more value, like PAYLOAD',
    }),
    text: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'one more value: this string as it is',
    }),
    tag: Flags.string({ description: 'what the message is for' }),
    topic: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'ordering context; may be repeated' }),
    author: Flags.string({ description: 'DID, organisation or key of this node' }),
    key: Flags.string({ description: 'signing key of this node' }),
    wait: Flags.option({ options: ['none', 'local', 'all'] as const, description: 'who must have confirmed' })(),
    'no-wait': Flags.boolean({ description: 'the same as --wait none', exclusive: ['wait'] }),
    timeout: timeoutFlag('30s'),
    idempotent: Flags.string({ description: 'key that makes a repetition find the first message' }),
    'dry-run': Flags.boolean({ description: 'print the request, send nothing' }),
    curl: Flags.boolean({ description: 'print the request as a curl command, send nothing' }),
    lines: Flags.boolean({ description: 'a message for each line of stdin that is not empty', helpGroup: 'MANY' }),
    count: Flags.integer({ min: 1, max: 10_000_000, description: 'how many messages', helpGroup: 'MANY' }),
    expand: Flags.boolean({ description: 'replace {{…}} without --count too', helpGroup: 'MANY' }),
    rate: Flags.string({ description: 'pace, such as 10/s', helpGroup: 'MANY' }),
    concurrency: Flags.integer({ min: 1, max: 1_000, default: 1, description: '1 keeps the order', helpGroup: 'MANY' }),
    'keep-going': Flags.boolean({ description: 'go on after a failure', helpGroup: 'MANY' }),
  };

  async run(): Promise<void> {
    const { flags, raw } = await this.parse(Broadcast);
    const { runBroadcast } = await import('../broadcast.js');
    const tokens = raw.filter((token) => token.type === 'arg' || token.flag === 'data' || token.flag === 'text');
    const values = tokens.map((token) => ({
      text: token.input,
      isString: token.type === 'flag' && token.flag === 'text',
    }));
    await runBroadcast({ ...flags, values }, this);
    if (flags.count === undefined && !flags.lines) await this.suggest('messages list', 'events tail --all-parties');
  }
}

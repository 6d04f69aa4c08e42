import { subscriptionFlags } from '../../subs/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class SubsCreate extends BaseCommand {
  static override summary = 'Create a durable subscription.';
  static override description = [
    'The node stores the position of a subscription: each matching event is delivered until it is acknowledged, also',
    'after a crash. Attach with "events tail --durable NAME" or over WebSocket, or use a webhook. Filters are',
    'unanchored regular expressions (RE2); all must match.',
  ].join(' ');
  static override examples = [
    `<%= config.bin %> subs create app --events '^message_confirmed$' --topics '^orders$' --read-ahead 50`,
    '<%= config.bin %> subs create audit --first oldest -p bob',
    '<%= config.bin %> subs create hook --tag order --endpoint https://example.com/events',
  ];
  static override args = { NAME: requiredArgument('name of the subscription') };
  static override flags = subscriptionFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SubsCreate);
    const { createSubscription } = await import('../../subs/create.js');
    const created = await createSubscription({ ...flags, name: args.NAME }, this);
    await this.answer({ json: created.json, text: created.text, primary: created.id });
    const isHook = flags.endpoint !== undefined;
    await this.suggest(isHook ? `subs get ${created.name}` : `events tail --durable ${created.name}`);
  }
}

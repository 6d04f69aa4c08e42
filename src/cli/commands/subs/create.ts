import { subscriptionFlags } from '../../subs/flags.js';
import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';

export default class SubsCreate extends BaseCommand {
  static override summary = 'Subscribe to events under a name.';
  static override description = [
    "The party's node remembers how far a subscription is: each event that matches is delivered until it is",
    'acknowledged, also after a crash. Attach with "events tail --durable NAME" or over WebSocket, or let a webhook',
    'have them. Filters are regular expressions (RE2), not anchored; all must match. --replace changes one that is',
    'there; it continues at its position.',
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

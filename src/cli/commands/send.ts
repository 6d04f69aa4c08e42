import * as Flags from '@oclif/core/flags';
import type { SendFlags } from '../messages/sending/send-flags.js';
import { BaseCommand } from '../base.js';
import { argument, sendFlags } from '../flags.js';

export default class Send extends BaseCommand {
  static override summary = 'Send a private message to some parties.';
  static override description = [
    'Only the nodes of the recipients and your own receive the message; the masked pins on the chain do not reveal',
    'who writes to whom. Recipients and author form a group, in which each topic is ordered. --unpinned does not use',
    'the chain: it is faster, and not ordered. All other flags are those of broadcast. Exit codes: 0 confirmed, 5',
    'timeout, 7 refused or rejected.',
  ].join(' ');
  static override examples = [
    `<%= config.bin %> send 'only for you' --to bob`,
    `<%= config.bin %> send @offer.json --to bob,carol --topic orders --wait all`,
    `<%= config.bin %> send 'the contract' -f contract.pdf --to bob`,
    `<%= config.bin %> send '{"typing":true}' --to bob --unpinned -p carol`,
    `<%= config.bin %> send '"more"' --group 4be1c0d2`,
  ];
  static override usage = 'send [PAYLOAD] --to PARTY[,PARTY…]';
  static override args = { PAYLOAD: argument('JSON, text, @FILE or - for stdin') };
  static override flags = {
    to: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'party, organisation, DID or key; several with commas, or repeated',
    }),
    group: Flags.string({ description: 'hash of the group, or its start' }),
    unpinned: Flags.boolean({ description: 'do not use the chain: faster, not ordered' }),
    ...sendFlags,
  };

  protected override async examine(): Promise<void> {
    const { checkMessage } = await import('../messages/sending/send-message.js');
    await checkMessage(await this.typed(), this.program);
  }

  private async typed(): Promise<SendFlags> {
    const { flags, raw } = await this.parse(Send);
    const { itemWords } = await import('../messages/sending/send-flags.js');
    const { to = [], group, unpinned, ...sending } = flags;
    return { ...sending, items: itemWords(raw), recipients: { to, group, unpinned } };
  }

  async run(): Promise<void> {
    const flags = await this.typed();
    const { sendMessage } = await import('../messages/sending/send-message.js');
    await sendMessage(flags, this);
    const isOne = flags.count === undefined && !flags.lines;
    if (isOne && !flags.curl && !flags['dry-run']) await this.suggest('groups list', 'messages list --type private');
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { argument, sendFlags } from '../flags.js';

export default class Send extends BaseCommand {
  static override summary = 'Send a private message to some parties and nobody else.';
  static override description = [
    'Only the nodes of the recipients and your own ever hold a byte of it; the chain has masked pins, which tell',
    'nobody else who writes to whom. The recipients and the author form a group, in which each topic has one order.',
    '--unpinned leaves out the chain and with it that order: it is there faster. All else is as with broadcast. Exit',
    'codes: 0 confirmed, 5 time is up, 7 refused or rejected.',
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
    group: Flags.string({ description: 'group by its hash, or the first characters of it' }),
    unpinned: Flags.boolean({ description: 'without the chain, and without its order' }),
    ...sendFlags,
  };

  async run(): Promise<void> {
    const { flags, raw } = await this.parse(Send);
    const { sendMessage } = await import('../messages/sending/send-message.js');
    const { itemWords } = await import('../messages/sending/send-flags.js');
    const { to = [], group, unpinned, ...sending } = flags;
    await sendMessage({ ...sending, items: itemWords(raw), recipients: { to, group, unpinned } }, this);
    const isOne = flags.count === undefined && !flags.lines;
    if (isOne && !flags.curl && !flags['dry-run']) await this.suggest('groups list', 'messages list --type private');
  }
}

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { tableFlags, targetFlags } from '../../flags.js';

export default class MessagesList extends BaseCommand {
  static override summary = 'List messages: undecided ones first, newest first.';
  static override examples = [
    '<%= config.bin %> messages list',
    '<%= config.bin %> messages list --pending -p bob --json',
  ];
  static override flags = {
    ...targetFlags,
    ...tableFlags,
    pending: Flags.boolean({ description: 'only those that are not decided yet', exclusive: ['confirmed'] }),
    confirmed: Flags.boolean({ description: 'only those that are confirmed' }),
    'with-data': Flags.boolean({ description: 'with their values' }),
    limit: Flags.integer({ min: 0, max: 1_000, default: 25, description: 'how many at most' }),
    skip: Flags.integer({ min: 0, max: 100_000, default: 0, description: 'how many to pass over' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(MessagesList);
    const { openTarget } = await import('../../target.js');
    const { printMessages } = await import('../../message-table.js');
    const { party } = await openTarget(flags, this);
    const { text, value } = await party.client.listMessages({
      query: {
        limit: flags.limit,
        ...(flags.skip > 0 ? { skip: flags.skip } : {}),
        ...(flags.pending ? { pending: true } : flags.confirmed ? { pending: false } : {}),
        ...(flags['with-data'] ? { data: true } : {}),
      },
    });
    const { output } = this;
    if (output.isJson) await output.json(text);
    else if (output.isQuiet) await output.out.write(value.map(({ header }) => `${header.id}\n`).join(''));
    else if (value.length === 0) await output.note('There are no such messages.');
    else {
      await printMessages(output, value, {
        columns: flags.columns,
        hasHeaders: !flags['no-headers'],
        hasData: flags['with-data'],
      });
    }
  }
}

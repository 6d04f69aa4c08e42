import { BaseCommand } from '../base.js';
import { argument, targetFlags } from '../flags.js';

export default class Explain extends BaseCommand {
  static override summary = 'Say why a message is not confirmed, or what blocks a stack.';
  static override description = [
    'Asks every party, follows each wait to its cause, and says what to do. Exit codes: 0 final everywhere, 5 pending',
    'but not blocked, 7 rejected or cancelled, 8 blocked.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> explain 3fa85f64',
    '<%= config.bin %> explain',
    '<%= config.bin %> explain 3fa85f64 --json',
  ];
  static override args = { ID: argument('id of the message, or of a batch; default: the whole stack') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Explain);
    const { explain } = await import('../explain/explain.js');
    await explain({ ...flags, id: args.ID }, this);
  }
}

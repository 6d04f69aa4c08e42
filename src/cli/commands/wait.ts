import { waitForFlags } from '../stack/watching/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Wait extends BaseCommand {
  static override summary = 'Wait for conditions; print nothing on success.';
  static override description = [
    'Conditions: healthy, running, stopped, idle (nothing is pending or in progress at any party), block=N (the chain',
    'has block N), event=RE (a new event at the party whose type, tag or topic matches), message=ID[@PARTY|@all]',
    '(confirmed). All must hold. Exit codes: 0 met, 5 timeout, 7 message rejected, 8 cannot be met any more.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> wait --for healthy',
    '<%= config.bin %> wait --for event=^order$ --timeout 5m',
    '<%= config.bin %> wait --for message=3fa85f64-5717-4562-b3fc-2c963f66afa6@all --for idle --timeout 1m',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = waitForFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Wait);
    const { waitFor } = await import('../stack/watching/wait-for.js');
    await waitFor({ ...flags, name: args.NAME }, this);
  }
}

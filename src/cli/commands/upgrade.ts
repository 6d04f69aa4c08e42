import { upgradeFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Upgrade extends BaseCommand {
  static override summary = 'Bring an older state to this version, after a snapshot.';
  static override description = [
    'Stops the stack, saves a snapshot, and starts it so that every node migrates its database; stops it again if it',
    'was stopped. Until then "start" refuses a state of an older version. Killed, or failed, it goes on when repeated.',
    'The way back: install the older version again and restore that snapshot.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> upgrade --dry-run',
    '<%= config.bin %> upgrade dev',
    '<%= config.bin %> upgrade dev --no-snapshot',
  ];
  static override args = { NAME: argument('name of the stack') };
  static override flags = upgradeFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Upgrade);
    const { upgradeOne } = await import('../stack/starting/upgrade.js');
    await upgradeOne({ ...flags, name: args.NAME }, this);
  }
}

import { upgradeFlags } from '../stack/starting/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Upgrade extends BaseCommand {
  static override summary = 'Migrate the data of a stack to this version.';
  static override description = [
    'Stops the stack, saves a snapshot and starts the stack, so that every node migrates its database. A stack that',
    'was stopped is stopped again. Until then "start" refuses data of an older version. If the command fails or is',
    'killed, repeat it to continue. To go back, install the older version and restore the snapshot.',
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

import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { requiredArgument, stackFlags } from '../../flags.js';

export default class ConfigSet extends BaseCommand {
  static override summary = 'Change settings of a stack or your defaults.';
  static override description = [
    'Values are YAML. Comments and layout of the file are preserved. Invalid settings are refused. A running stack',
    'applies the change at its next start.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> config set logs.level=debug',
    `<%= config.bin %> config set 'cors.origins=["http://localhost:5173"]' restart.max=10 -s dev`,
    '<%= config.bin %> config set --user template=tokens',
  ];
  static override strict = false;
  static override args = { SETTING: requiredArgument('dotted.path=value; may be repeated') };
  static override flags = {
    ...stackFlags,
    user: Flags.boolean({ description: 'change your config.yaml instead', exclusive: ['stack'] }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(ConfigSet);
    const { setConfig } = await import('../../config/config.js');
    await setConfig({ ...flags, settings: argv.map(String) }, this);
    if (!flags.user) await this.suggest(`start${flags.stack === undefined ? '' : ` ${flags.stack}`}`);
  }
}

import { BaseCommand } from '../base.js';

export default class Version extends BaseCommand {
  static override summary = 'Show the version of this program and of what it stands on.';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json'];

  async run(): Promise<void> {
    await this.parse(Version);
    const { version } = this.config;
    const platform = `${process.platform}-${process.arch}`;
    await this.answer({
      json: { version, node: process.versions.node, platform },
      text: `parley ${version} · node ${process.versions.node} · ${platform}`,
      primary: version,
    });
  }
}

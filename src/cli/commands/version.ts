import { BaseCommand } from '../base.js';

export default class Version extends BaseCommand {
  static override summary = 'Show the versions of this program and its main parts.';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json'];

  async run(): Promise<void> {
    await this.parse(Version);
    const { version } = this.config;
    const { node } = process.versions;
    const platform = `${process.platform}-${process.arch}`;
    const { compatibility } = await import('../../stack/upgrade/own-version.js');
    const { protocol, control, database, contracts } = await compatibility();
    const text = [
      `parley ${version} · node ${node} · ${platform}`,
      `protocol ${protocol} · control protocol ${control} · database form ${database}`,
      `contracts ${Object.entries(contracts)
        .map(([name, hash]) => `${name} ${hash.slice(0, 8)}`)
        .join(' · ')}`,
    ].join('\n');
    await this.answer({
      json: { version, node, platform, protocol, control, database, contracts },
      text,
      primary: version,
    });
  }
}

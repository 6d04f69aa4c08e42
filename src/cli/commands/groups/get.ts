import { BaseCommand } from '../../base.js';
import { requiredArgument, targetFlags } from '../../flags.js';

export default class GroupsGet extends BaseCommand {
  static override summary = 'Show a group with its members.';
  static override description =
    'HASH can be shortened to four or more characters. With --quiet, it prints only the members.';
  static override examples = [
    '<%= config.bin %> groups get 4be1c0d2',
    '<%= config.bin %> groups get 4be1c0d2 -p bob --json',
  ];
  static override args = { HASH: requiredArgument('hash of the group') };
  static override flags = targetFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GroupsGet);
    const { openTarget } = await import('../../requests/target.js');
    const { resolveGroupHash } = await import('../../requests/ids.js');
    const { groupText } = await import('../../messages/listing/group-table.js');
    const { party } = await openTarget(flags, this);
    const hash = await resolveGroupHash(party.client, args.HASH);
    const { text, value } = await party.client.getGroup({ path: { hash } });
    const members = value.members.map(({ identity }) => identity).join('\n');
    await this.answer({ json: text, text: groupText(value), primary: members });
  }
}

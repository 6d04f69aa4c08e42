import { dumpFlags } from '../dump/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Dump extends BaseCommand {
  static override summary = 'Collect logs and state of a stack in a directory.';
  static override description = [
    'The directory has logs, traces of failed starts, definition, status, versions, and the newest events and pending',
    'messages of each running party. It has no keys and no tokens. Also works on stopped and broken stacks.',
  ].join(' ');
  static override examples = ['<%= config.bin %> dump', '<%= config.bin %> dump ./artifacts -s dev --tar'];
  static override args = { DIR: argument('directory in which it is created; default: the working directory') };
  static override flags = dumpFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Dump);
    const { writeDump } = await import('../dump/command.js');
    await writeDump({ ...flags, directory: args.DIR }, this);
  }
}

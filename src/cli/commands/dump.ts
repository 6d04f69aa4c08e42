import { dumpFlags } from '../dump/flags.js';
import { BaseCommand } from '../base.js';
import { argument } from '../flags.js';

export default class Dump extends BaseCommand {
  static override summary = 'Write what explains the state of a stack to a directory.';
  static override description = [
    'Logs, evidence of failed starts, definition, status, versions, and of each party that runs the newest events and',
    'the messages that are not final. No key and no token is in it. Works on a stack that is stopped or broken, too.',
  ].join(' ');
  static override examples = ['<%= config.bin %> dump', '<%= config.bin %> dump ./artifacts -s dev --tar'];
  static override args = { DIR: argument('where to put it; default: the working directory') };
  static override flags = dumpFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Dump);
    const { writeDump } = await import('../dump/command.js');
    await writeDump({ ...flags, directory: args.DIR }, this);
  }
}

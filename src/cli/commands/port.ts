import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../base.js';
import { requiredArgument, stackFlags } from '../flags.js';

export default class Port extends BaseCommand {
  static override summary = 'Print the port of a service.';
  static override examples = [
    '<%= config.bin %> port alice',
    'curl "http://127.0.0.1:$(<%= config.bin %> port chain)"',
    '<%= config.bin %> port alice --peer',
  ];
  static override args = { SERVICE: requiredArgument('party, chain or store') };
  static override flags = {
    ...stackFlags,
    peer: Flags.boolean({ description: 'port for the other nodes' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Port);
    const { findPeerPort, findService } = await import('../stack/watching/observe.js');
    const options = { ...flags, service: args.SERVICE };
    const port = flags.peer ? await findPeerPort(options, this) : (await findService(options, this)).port;
    await this.answer({ json: { service: args.SERVICE, port }, text: String(port), primary: String(port) });
  }
}

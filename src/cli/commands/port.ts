import { BaseCommand } from '../base.js';
import { requiredArgument, stackFlags } from '../flags.js';

export default class Port extends BaseCommand {
  static override summary = 'Print the port of a service.';
  static override examples = [
    '<%= config.bin %> port alice',
    'curl "http://127.0.0.1:$(<%= config.bin %> port chain)"',
  ];
  static override args = { SERVICE: requiredArgument('a party, chain or store') };
  static override flags = stackFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Port);
    const { findService } = await import('../observe.js');
    const { port } = await findService({ ...flags, service: args.SERVICE }, this);
    await this.answer({ json: { service: args.SERVICE, port }, text: String(port), primary: String(port) });
  }
}

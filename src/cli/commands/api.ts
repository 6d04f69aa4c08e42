import { apiFlags } from '../requests/flags.js';
import { BaseCommand } from '../base.js';
import { requiredArgument } from '../flags.js';

export default class Api extends BaseCommand {
  static override summary = 'Send a request to a node and print the response.';
  static override description = [
    'A PATH without a leading / is relative to the namespace. The body is printed for every response. Exit code 7 for',
    '4xx, 8 for 5xx. Every node documents its API at /api.',
  ].join(' ');
  static override examples = [
    `<%= config.bin %> api GET 'messages?limit=5'`,
    '<%= config.bin %> api GET /api/v1/status -p bob',
    `<%= config.bin %> api POST broadcast/message -d '{"data":[{"value":1}]}'`,
  ];
  static override args = {
    METHOD: requiredArgument('GET, POST, PUT, PATCH or DELETE'),
    PATH: requiredArgument('path, with query parameters'),
  };
  static override flags = apiFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api);
    const { runApi } = await import('../requests/api.js');
    await runApi({ ...flags, method: args.METHOD, path: args.PATH }, this);
  }
}

import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';
import { rebuildFlags } from '../../party/flags.js';

export default class NodeRebuild extends BaseCommand {
  static override summary = 'Read the history of a node again after a reorganisation.';
  static override description = [
    'For a node that stopped because the chain took back more blocks than its confirmations. What it has read from',
    'blocks that are gone is taken back and read again; what only the node knows stays, and what it had sent is',
    'sent again if the chain has lost it. Stops the node and starts it again; a stack that is stopped stays so, and',
    'the node does it at its next start. Killed, it goes on with the next start of the node, or when it is',
    'repeated. With --from it takes back more than it must.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> node rebuild alice',
    '<%= config.bin %> node rebuild alice --yes && <%= config.bin %> node rebuild bob --yes',
    '<%= config.bin %> node rebuild alice --from 1200',
  ];
  static override args = { NAME: requiredArgument('name of the party') };
  static override flags = rebuildFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NodeRebuild);
    const { rebuildOne } = await import('../../party/rebuild.js');
    const answer = await rebuildOne({ ...flags, party: args.NAME }, this);
    if (answer === undefined) return;
    await this.answer(answer);
    await this.suggest('status');
  }
}

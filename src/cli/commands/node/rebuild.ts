import { BaseCommand } from '../../base.js';
import { requiredArgument } from '../../flags.js';
import { rebuildFlags } from '../../party/flags.js';

export default class NodeRebuild extends BaseCommand {
  static override summary = 'Reread the history of a node after a reorganisation.';
  static override description = [
    'For a node that stopped because the chain replaced more blocks than its confirmations. The node undoes what it',
    'read from the lost blocks, reads the chain again, and resends what the chain has lost; data that only this node',
    'has is kept. A running node is restarted; a stopped stack stays stopped, and the node rebuilds at its next',
    'start. If it is killed, it continues at the next start. With --from, it undoes more than necessary.',
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

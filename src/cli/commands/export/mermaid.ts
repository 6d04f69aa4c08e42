import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportMermaid extends BaseCommand {
  static override summary = 'Draw the topology of a stack as a Mermaid flowchart.';
  static override description =
    'Parties, chain and store with their addresses and states, the links between them, and the faults in force. ' +
    'Markdown shows it in a block that begins with ```mermaid.';
  static override examples = ['<%= config.bin %> export mermaid', '<%= config.bin %> export mermaid -o topology.mmd'];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'file to write to; - for stdout, the default' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportMermaid);
    const { exportMermaid } = await import('../../export/mermaid.js');
    await this.answer(await exportMermaid(flags, this));
  }
}

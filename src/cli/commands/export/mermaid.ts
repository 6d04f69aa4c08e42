import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../../base.js';
import { stackFlags } from '../../flags.js';

export default class ExportMermaid extends BaseCommand {
  static override summary = 'Print the topology of a stack as a Mermaid flowchart.';
  static override description = [
    'Shows parties, chain and store with addresses and states, the links between them, and active faults. In',
    'Markdown, put it into a block that begins with ```mermaid.',
  ].join(' ');
  static override examples = ['<%= config.bin %> export mermaid', '<%= config.bin %> export mermaid -o topology.mmd'];
  static override flags = {
    ...stackFlags,
    output: Flags.string({ char: 'o', description: 'file to write to, or - for stdout; default: stdout' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(ExportMermaid);
    const { exportMermaid } = await import('../../export/mermaid.js');
    await this.answer(await exportMermaid(flags, this));
  }
}

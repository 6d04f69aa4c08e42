import { textOf } from '../../wire/json/json.js';
import { result } from '../terminal/output.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import type { CommandContext, TargetFlags } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { findTriggers, type TriggerFile } from './find.js';
import { readTrigger } from './read.js';

interface TriggerRow extends TriggerFile {
  readonly description: string;
  readonly steps: readonly string[];
}

/** `stack trigger --list`. The description of an unreadable trigger is the error. */
export async function listTriggers(flags: TargetFlags & TableOptions, context: CommandContext): Promise<void> {
  const { output } = context;
  const rows = await Promise.all((await findTriggers(flags, context)).map(describe));
  if (output.isJson) await output.json(textOf(result({ triggers: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ name }) => `${name}\n`).join(''));
  else await printTable(output, rows, columns, flags);
}

async function describe(file: TriggerFile): Promise<TriggerRow> {
  try {
    const { description, steps } = await readTrigger(file, []);
    return { ...file, description, steps: steps.map(({ name }) => name) };
  } catch (error) {
    return {
      ...file,
      description: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      steps: [],
    };
  }
}

const columns: readonly Column<TriggerRow>[] = [
  { name: 'trigger', text: ({ name }) => name },
  { name: 'from', spare: 1, text: ({ from }) => from },
  { name: 'description', text: ({ description }) => safe(description) },
  { name: 'steps', spare: 2, text: ({ steps }) => steps.join(',') },
];

import type { ChainBlock } from '../../stack/engines/chain.js';
import { textOf } from '../../wire/json/json.js';
import { type NameOf, describeEvent } from './events.js';
import { type StackFlags, namesOf, openChain } from './open-chain.js';
import { result } from '../terminal/output.js';
import { shortAddress } from '../requests/owners.js';
import { ageColumn, type Column, printTable, type TableOptions } from '../terminal/table.js';
import type { CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

/** `stack chain blocks`. @throws CliError NOT_RUNNING */
export async function showBlocks(
  flags: StackFlags & TableOptions & { readonly count: number },
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const { status, reader, accounts } = await openChain(flags, context);
  const blocks = await reader.newest(flags.count);
  const nameOf = namesOf(status, accounts);
  const rows = blocks.map((block) => ({ block, events: eventsOf(block, nameOf) }));
  if (output.isJson) {
    const shown = rows.map(({ block: { logs: _, reverted, ...block }, events }) => {
      return { ...block, events, reverted: reverted.map(({ hash }) => hash) };
    });
    await output.json(textOf(result({ blocks: shown })));
  } else if (output.isQuiet) await output.out.write(blocks.map(({ hash }) => `${hash}\n`).join(''));
  else await printTable(output, rows, blockColumns(Date.now()), flags);
}

interface BlockRow {
  readonly block: ChainBlock;
  readonly events: readonly string[];
}

function blockColumns(nowMs: number): readonly Column<BlockRow>[] {
  return [
    { name: 'block', text: ({ block }) => String(block.number) },
    ageColumn('time', ({ block }) => block.time, nowMs),
    { name: 'txs', text: ({ block }) => String(block.transactions.length) },
    { name: 'events', text: ({ events }) => safe(events.join('; ')) },
  ];
}

/** The events of a block, and its reverted transactions. */
function eventsOf({ logs, reverted }: ChainBlock, nameOf: NameOf): string[] {
  const by = (address: string) => nameOf(address) ?? shortAddress(address);
  const described = logs.flatMap((log) => describeEvent(log, nameOf) ?? []);
  return [...described, ...reverted.map(({ from }) => `reverted, by ${by(from)}`)];
}

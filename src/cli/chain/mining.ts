import { type ChainMining, type ChainReader, definedMining, isPaused } from '../../stack/engines/chain.js';
import type { CommandResult } from '../base.js';
import { anyDurationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import type { CommandContext } from '../requests/target.js';
import { plural, spanOf } from '../terminal/text.js';
import { type StackFlags, ifAnswered, openOwnChain } from './open-chain.js';

const maxBlocks = 10_000;
const maxAheadHours = 100 * 365 * 24;

/** `stack chain mine`. @throws CliError USAGE, NOT_RUNNING */
export async function mineBlocks(
  flags: StackFlags & { readonly count?: string | undefined },
  context: CommandContext,
): Promise<CommandResult> {
  const count = Number(/^\d{1,5}$/.exec(flags.count ?? '1')?.[0] ?? Number.NaN);
  if (!(count >= 1 && count <= maxBlocks)) {
    throw new CliError('USAGE', `N must be a number of blocks from 1 to ${maxBlocks}, not "${flags.count ?? ''}".`);
  }
  const { control, reader } = await openOwnChain(flags, context);
  await control.mine(count);
  const { number, hash, time } = await reader.block(await reader.head());
  const text = `${mark(context)} ${plural(count, 'block')} mined; the newest is ${number}`;
  return { json: { mined: count, head: { number, hash, time } }, text, primary: String(number) };
}

/** `stack chain advance`. @throws CliError USAGE, NOT_RUNNING */
export async function advanceClock(
  flags: StackFlags & { readonly span: string },
  context: CommandContext,
): Promise<CommandResult> {
  const spanMs = anyDurationMs(flags.span, 'SPAN');
  const seconds = spanMs / 1_000;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxAheadHours * 3_600) {
    const limits = `from 1s to ${maxAheadHours}h (100 years)`;
    throw new CliError('USAGE', `SPAN must be whole seconds ${limits}, not "${flags.span}".`);
  }
  const { control, reader } = await openOwnChain(flags, context);
  const wasPaused = isPaused(await reader.mining());
  await control.advance(seconds);
  // While mining is paused, mining a block would release the waiting transactions.
  if (!wasPaused) await control.mine(1);
  const { number, hash, time } = await reader.block(await reader.head());
  const clock = `the clock of the chain is ${spanOf(spanMs)} further ahead`;
  const then = wasPaused ? 'mining is paused, so the next block shows it' : `block ${number} has the time ${time}`;
  const head = { number, hash, time };
  const json = { advancedMs: spanMs, head, paused: wasPaused };
  return { json, text: `${mark(context)} ${clock}; ${then}`, primary: String(number) };
}

/** `stack chain pause`. @throws CliError NOT_RUNNING */
export async function pauseMining(flags: StackFlags, context: CommandContext): Promise<CommandResult> {
  const { control, reader } = await openOwnChain(flags, context);
  const changed = !isPaused(await reader.mining());
  if (changed) await control.setMining({ auto: false, intervalMs: 0 });
  const text = changed
    ? `${context.output.out.paint('yellow', '!')} mining is paused: messages stay ready until it resumes`
    : 'mining is already paused';
  return { json: { mining: 'paused', changed }, text };
}

/** `stack chain resume`: sets mining as defined in `stack.yaml`. @throws CliError NOT_RUNNING */
export async function resumeMining(flags: StackFlags, context: CommandContext): Promise<CommandResult> {
  const { stack, control, reader } = await openOwnChain(flags, context);
  const [before, waiting] = await Promise.all([reader.mining(), reader.waiting()]);
  const wanted = definedMining(stack.settings);
  const changed = before.auto !== wanted.auto || before.intervalMs !== wanted.intervalMs;
  if (changed) await control.setMining(wanted);
  const released = waiting > 0 ? `; ${plural(waiting, 'transaction')} waited` : '';
  const text = changed ? `${mark(context)} mining has resumed${released}` : 'mining is already running';
  return { json: { mining: miningMember(wanted), changed, waited: waiting }, text };
}

/** Reads how a chain mines and how many transactions wait; undefined if it does not answer. */
export async function readMining(
  reader: ChainReader | undefined,
): Promise<{ readonly mining: ChainMining; readonly waiting: number } | undefined> {
  if (reader === undefined) return undefined;
  const answers = await ifAnswered(() => Promise.all([reader.mining(), reader.waiting()]));
  if (answers === undefined) return undefined;
  const [mining, waiting] = answers;
  return { mining, waiting };
}

/** How a chain mines, for JSON: as in `stack.yaml`, or `paused`. */
export function miningMember(mining: ChainMining): 'auto' | 'paused' | { readonly intervalMs: number } {
  if (isPaused(mining)) return 'paused';
  return mining.auto ? 'auto' : { intervalMs: mining.intervalMs };
}

/** How a chain mines, as text; `waiting` is the number of transactions that wait for a block. */
export function miningText(mining: ChainMining, waiting: number): string {
  if (isPaused(mining))
    return `paused${waiting === 0 ? '' : `; ${plural(waiting, 'transaction waits', 'transactions wait')} for a block`}`;
  return mining.auto ? 'a block for each transaction' : `a block every ${mining.intervalMs} ms`;
}

function mark({ output }: CommandContext): string {
  return output.out.paint('green', '✓');
}

import { clearFaults, readFaults, setFault } from '../../stack/faults.js';
import { type Fault, faultText } from '../../wire/network/faults.js';
import { textOf } from '../../wire/json/json.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { result } from '../terminal/output.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import { findStack, openStack, type Surroundings } from '../requests/target.js';
import { age, spanOf } from '../terminal/text.js';

export interface FaultWords {
  readonly stack?: string | undefined;
  readonly kind: Fault['kind'];
  readonly from: string;
  readonly to?: string | undefined;
  readonly delay?: string | undefined;
  readonly 'one-way'?: boolean;
  readonly for?: string | undefined;
}

/** `stack fault cut`, `delay`, `drop`. @throws CliError USAGE; StackError as `setFault` */
export async function setOne(words: FaultWords, surroundings: Surroundings): Promise<CommandResult> {
  const { kind, from, to } = words;
  const delayMs = words.delay === undefined ? undefined : spanIn(words.delay, 'The delay');
  const forMs = words.for === undefined ? undefined : spanIn(words.for, '--for');
  const stack = await openStack({ stack: words.stack }, surroundings);
  const fault = await setFault(stack, { kind, from, to, oneWay: words['one-way'] ?? false, delayMs, forMs });
  const mark = surroundings.output.out.paint('yellow', '!');
  const end = forMs === undefined ? '' : ` for ${spanOf(forMs)}`;
  const text = `${mark} ${fault.id}: ${faultText(fault)}${end}`;
  return { json: { fault: shown(fault) }, text, primary: fault.id };
}

function spanIn(text: string, what: string): number {
  const ms = durationMs(text, what);
  if (ms > 0) return ms;
  throw new CliError('USAGE', `${what} must be longer than nothing.`);
}

/** `stack fault list`. @throws StackError */
export async function listFaults(
  words: TableOptions & { readonly stack?: string | undefined },
  surroundings: Surroundings,
): Promise<void> {
  const { output } = surroundings;
  const stack = await findStack(words, surroundings);
  const faults = await readFaults(stack.layout);
  if (output.isJson) await output.json(textOf(result({ faults: faults.map(shown) })));
  else if (output.isQuiet) await output.out.write(faults.map(({ id }) => `${id}\n`).join(''));
  else if (faults.length === 0) await output.note(`No fault is set in ${stack.name}.`);
  else await printTable(output, faults, columns, words);
}

const columns: readonly Column<Fault>[] = [
  { name: 'id', text: ({ id }) => id },
  { name: 'fault', text: faultText },
  { name: 'since', text: ({ since }, isTerminal) => (isTerminal ? `${age(since, Date.now())} ago` : since) },
  {
    name: 'until',
    text: ({ until }, isTerminal) =>
      until === undefined ? 'it is cleared' : isTerminal ? spanOf(Date.parse(until) - Date.now()) : until,
  },
];

/** `stack fault clear`. @throws StackError as `clearFaults` */
export async function clearSome(
  words: { readonly stack?: string | undefined; readonly id?: string | undefined },
  surroundings: Surroundings,
): Promise<CommandResult> {
  const { output } = surroundings;
  const stack = await findStack(words, surroundings);
  const cleared = await clearFaults(stack, words.id);
  const mark = output.out.paint('green', '✓');
  const lines = cleared.map((fault) => `${mark} cleared ${fault.id}: ${faultText(fault)}`);
  return {
    json: { cleared: cleared.map(shown) },
    text: lines.length === 0 ? 'No fault is set; nothing to clear' : lines.join('\n'),
    primary: cleared.length === 0 ? undefined : cleared.map(({ id }) => id).join('\n'),
  };
}

/** A fault as JSON shows it, without the keys of the nodes. */
export function shown({ id, kind, from, to, oneWay, delayMs, since, until }: Fault): Readonly<Record<string, unknown>> {
  return {
    id,
    kind,
    from: from.party,
    ...(to !== undefined && { to: to.party, oneWay }),
    ...(delayMs !== undefined && { delayMs }),
    since,
    until: until ?? null,
  };
}

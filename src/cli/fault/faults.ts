import type { faultFlags, linkFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import { clearFaults, readFaults, setFault } from '../../stack/faults.js';
import { type Fault, faultText } from '../../wire/network/faults.js';
import { textOf } from '../../wire/json/json.js';
import type { CommandResult } from '../base.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { result } from '../terminal/output.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import { findStack, openRunningStack, type CommandContext } from '../requests/target.js';
import { age, spanOf } from '../terminal/text.js';

export type FaultFlags = FlagsOf<typeof faultFlags> &
  Partial<FlagsOf<typeof linkFlags>> & {
    readonly kind: Fault['kind'];
    readonly from: string;
    readonly to?: string | undefined;
    readonly delay?: string | undefined;
  };

/** `stack fault cut`, `delay`, `drop`. @throws CliError USAGE; StackError as `setFault` */
export async function setOne(flags: FaultFlags, context: CommandContext): Promise<CommandResult> {
  const { kind, from, to } = flags;
  const delayMs = flags.delay === undefined ? undefined : spanIn(flags.delay, 'The delay');
  const forMs = flags.for === undefined ? undefined : spanIn(flags.for, '--for');
  const stack = await openRunningStack({ stack: flags.stack }, context);
  const fault = await setFault(stack, { kind, from, to, oneWay: flags['one-way'] ?? false, delayMs, forMs });
  const mark = context.output.out.paint('yellow', '!');
  const duration = forMs === undefined ? '' : ` for ${spanOf(forMs)}`;
  const text = `${mark} ${fault.id}: ${faultText(fault)}${duration}`;
  return { json: { fault: faultMember(fault) }, text, primary: fault.id };
}

function spanIn(text: string, what: string): number {
  const ms = durationMs(text, what);
  if (ms > 0) return ms;
  throw new CliError('USAGE', `${what} must be longer than zero.`);
}

/** `stack fault list`. @throws StackError */
export async function listFaults(
  flags: TableOptions & { readonly stack?: string | undefined },
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const stack = await findStack(flags, context);
  const faults = await readFaults(stack.layout);
  if (output.isJson) await output.json(textOf(result({ faults: faults.map(faultMember) })));
  else if (output.isQuiet) await output.out.write(faults.map(({ id }) => `${id}\n`).join(''));
  else if (faults.length === 0) await output.note(`No fault is set in ${stack.name}.`);
  else await printTable(output, faults, columns, flags);
}

const columns: readonly Column<Fault>[] = [
  { name: 'id', text: ({ id }) => id },
  { name: 'fault', text: faultText },
  { name: 'since', text: ({ since }, isTerminal) => (isTerminal ? `${age(since, Date.now())} ago` : since) },
  {
    name: 'until',
    text: ({ until }, isTerminal) =>
      until === undefined ? 'cleared' : isTerminal ? spanOf(Date.parse(until) - Date.now()) : until,
  },
];

/** `stack fault clear`. @throws StackError as `clearFaults` */
export async function clearSome(
  flags: { readonly stack?: string | undefined; readonly id?: string | undefined },
  context: CommandContext,
): Promise<CommandResult> {
  const { output } = context;
  const stack = await findStack(flags, context);
  const cleared = await clearFaults(stack, flags.id);
  const mark = output.out.paint('green', '✓');
  const lines = cleared.map((fault) => `${mark} cleared ${fault.id}: ${faultText(fault)}`);
  return {
    json: { cleared: cleared.map(faultMember) },
    text: lines.length === 0 ? 'No fault is set' : lines.join('\n'),
    primary: cleared.length === 0 ? undefined : cleared.map(({ id }) => id).join('\n'),
  };
}

/** A fault in JSON, without the keys of the nodes. */
export function faultMember({
  id,
  kind,
  from,
  to,
  oneWay,
  delayMs,
  since,
  until,
}: Fault): Readonly<Record<string, unknown>> {
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

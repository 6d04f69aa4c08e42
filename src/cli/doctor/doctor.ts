import type { doctorFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { findStale, type Stale } from '../../stack/cleaning/checkup.js';
import { placeFrom } from '../../stack/layout.js';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { failureOf } from '../errors/failure.js';
import { type Output, result } from '../terminal/output.js';
import type { CommandContext } from '../requests/target.js';
import { linesOf, safe } from '../terminal/text.js';
import { type Check, checkMachine } from './machine.js';
import { checkSettings } from './settings.js';

export type DoctorFlags = FlagsOf<typeof doctorFlags>;

/** `stack doctor`. @throws CliError PREREQUISITE if a requirement is missing */
export async function examine({ fix }: DoctorFlags, context: CommandContext): Promise<void> {
  const { output, environment, program } = context;
  const place = placeFrom(environment);
  const machine = await checkMachine(place);
  const settings = await checkSettings(place, program);
  const checks = [...machine, ...settings, ...(await checkStale(() => findStale(place), fix, program))];
  if (output.isJson) await output.json(textOf(result({ checks })));
  else if (!output.isQuiet) for (const check of checks) await output.line(checkText(check, output));
  const failed = checks.filter(({ state }) => state === 'fail');
  if (failed.length === 0) return;
  const names = failed.map(({ name }) => name).join(', ');
  throw new CliError('PREREQUISITE', `Stacks cannot run on this machine: ${names}.`, { isPrinted: output.isJson });
}

async function checkStale(
  find: () => Promise<readonly Stale[]>,
  fix: boolean,
  program: string,
): Promise<readonly Check[]> {
  const name = 'stacks';
  try {
    const stale = await find();
    if (stale.length === 0) return [{ name, state: 'ok', text: 'no stale files or processes' }];
    if (!fix) return stale.map(({ text }) => ({ name, state: 'warn', text, remedy: `${program} doctor --fix` }));
    return await Promise.all(stale.map((each) => fixOne(name, each, program)));
  } catch (error) {
    const { message, hint } = failureOf(error, program);
    return [{ name, state: 'fail', text: message, remedy: hint }];
  }
}

async function fixOne(name: string, { text, fix }: Stale, program: string): Promise<Check> {
  try {
    await fix();
    return { name, state: 'ok', text: `removed: ${text}` };
  } catch (error) {
    return { name, state: 'warn', text: `${text}; removing it failed`, remedy: failureOf(error, program).message };
  }
}

const styles = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

/** The column at which the text of a check begins. */
const textColumn = 15;

/** Formats a check and its remedy, wrapped at the width of a terminal. */
export function checkText({ name, state, text, remedy }: Check, { out }: Output): string {
  const width = out.isTerminal ? out.width - textColumn : Infinity;
  const lines = [text, ...(remedy === undefined ? [] : [remedy])].flatMap((each) =>
    linesOf(safe(each).split(' '), width),
  );
  const head = `${out.paint(styles[state], state.padEnd(4))}  ${name.padEnd(8)} `;
  return head + lines.join(`\n${' '.repeat(textColumn)}`);
}

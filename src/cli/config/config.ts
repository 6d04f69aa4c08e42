import { resolve } from 'node:path';
import {
  changeSettings,
  changeUserSettings,
  describeSettings,
  type SettingRow,
  validateFile,
  validateStack,
} from '../../stack/configure.js';
import { placeFrom } from '../../stack/layout.js';
import { InvalidFile } from '../../stack/yaml-text.js';
import { textOf } from '../../wire/json.js';
import { result } from '../output.js';
import { printProblems } from './problems.js';
import { readSetting } from './setting.js';
import { type Column, printTable, type TableOptions } from '../table.js';
import { findStack, type Surroundings } from '../target.js';
import { safe } from '../text.js';

interface StackFlags {
  readonly stack?: string | undefined;
}

export interface ShowFlags extends StackFlags, TableOptions {
  readonly resolved: boolean;
  readonly origin: boolean;
}

/** `stack config show`. @throws StackError STACK_FILE_INVALID */
export async function showConfig(flags: ShowFlags, surroundings: Surroundings): Promise<void> {
  const { output } = surroundings;
  const stack = await findStack(flags, surroundings);
  const rows = await describeSettings(stack, { all: flags.resolved });
  const { name, definitionFile } = stack;
  if (output.isJson) await output.json(textOf(result({ name, configPath: definitionFile, settings: rows })));
  else if (output.isQuiet) await output.out.write(rows.map(({ setting }) => `${setting}\n`).join(''));
  else await printTable(output, rows, flags.origin ? columns : columns.slice(0, 2), flags);
}

const columns: readonly Column<SettingRow>[] = [
  { name: 'setting', text: ({ setting }) => setting },
  { name: 'value', text: ({ value }) => safe(typeof value === 'string' ? value : textOf(value)) },
  { name: 'from', text: originText },
];

function originText({ from, file, line }: SettingRow, isTerminal: boolean): string {
  if (file === null) return from;
  return `${isTerminal ? from : safe(file)}:${line ?? 1}`;
}

/** `stack config validate`. @throws CliError USAGE for a file with problems, each of which has been printed */
export async function validateConfig(
  flags: StackFlags & { readonly file?: string | undefined },
  surroundings: Surroundings,
): Promise<void> {
  const { output } = surroundings;
  try {
    const files = await validatedFiles(flags, surroundings);
    if (output.isJson) await output.json(textOf(result({ valid: true, files })));
    else if (!output.isQuiet) {
      for (const file of files) await output.line(`${output.out.paint('green', '✓')} ${safe(file)} is valid`);
    }
  } catch (error) {
    if (!(error instanceof InvalidFile) || output.isJson) throw error;
    throw await printProblems(error, output);
  }
}

async function validatedFiles(
  flags: StackFlags & { readonly file?: string | undefined },
  surroundings: Surroundings,
): Promise<readonly string[]> {
  if (flags.file === undefined) return validateStack(await findStack(flags, surroundings));
  const path = resolve(flags.file);
  await validateFile(path);
  return [path];
}

export interface SetFlags extends StackFlags {
  readonly settings: readonly string[];
  readonly user: boolean;
}

/** `stack config set`. @throws CliError USAGE; StackError STACK_FILE_INVALID, LOCKED */
export async function setConfig(flags: SetFlags, surroundings: Surroundings): Promise<void> {
  const { output, environment } = surroundings;
  const settings = flags.settings.map((text) => readSetting(text, 'SETTING'));
  const { file, changed } = flags.user
    ? await changeUserSettings(placeFrom(environment).configFile, settings)
    : await changeSettings(await findStack(flags, surroundings), settings);
  if (output.isJson) await output.json(textOf(result({ configPath: file, changed })));
  else if (!output.isQuiet) {
    const mark = output.out.paint('green', '✓');
    const names = changed.map(({ setting, value }) => `${setting} = ${safe(textOf(value))}`);
    await output.line(`${mark} ${names.join(', ')}\n  ${safe(file)}`);
  }
}

/** `stack config path`. */
export async function printConfigPath(
  flags: StackFlags & { readonly user: boolean },
  surroundings: Surroundings,
): Promise<void> {
  const { output, environment } = surroundings;
  const path = flags.user ? placeFrom(environment).configFile : (await findStack(flags, surroundings)).definitionFile;
  if (output.isJson) await output.json(textOf(result({ configPath: path })));
  else await output.line(safe(path));
}

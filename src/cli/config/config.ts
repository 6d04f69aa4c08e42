import { resolve } from 'node:path';
import {
  changeSettings,
  changeUserSettings,
  describeSettings,
  type SettingRow,
  validateFile,
  validateStack,
} from '../../stack/definition/configure.js';
import { hasSupervisor } from '../../stack/cleaning/stale.js';
import { findEngine } from '../../stack/engines/engines.js';
import { externalParties } from '../../stack/engines/external.js';
import { validateChain } from '../../stack/engines/external-chain.js';
import { type FoundDatabase, inspectDatabases } from '../../stack/engines/external-database.js';
import { type FoundStore, validateStore } from '../../stack/engines/external-store.js';
import { checkTls } from '../../stack/keys/tls-files.js';
import { placeFrom } from '../../stack/layout.js';
import { checkPorts } from '../../stack/ports/ports.js';
import { requireEngine } from '../../stack/engines/container-engine.js';
import { findNewDefinition, loadStack } from '../../stack/places/locate.js';
import { InvalidFile } from '../../stack/definition/yaml-text.js';
import { textOf } from '../../wire/json/json.js';
import { environmentFault } from '../errors/environment-fault.js';
import { CliError } from '../errors/exit.js';
import { result } from '../terminal/output.js';
import { printProblems } from './problems.js';
import { readSetting } from './setting.js';
import { type Column, printTable, type TableOptions } from '../terminal/table.js';
import { findStack, type CommandContext } from '../requests/target.js';
import { safe } from '../terminal/text.js';

interface StackFlags {
  readonly stack?: string | undefined;
}

export interface ShowFlags extends StackFlags, TableOptions {
  readonly resolved: boolean;
  readonly origin: boolean;
}

/** `stack config show`. @throws StackError STACK_FILE_INVALID */
export async function showConfig(flags: ShowFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  const stack = await findStack(flags, context);
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

interface ValidateFlags extends StackFlags {
  readonly file?: string | undefined;
  /** True: also check the external services of the stack. */
  readonly online: boolean;
}

/**
 * `stack config validate`.
 *
 * @throws CliError USAGE for a file with problems, after printing them; StackError as `validateChain`
 */
export async function validateConfig(flags: ValidateFlags, context: CommandContext): Promise<void> {
  const { output } = context;
  try {
    const files = await validatedFiles(flags, context);
    const online = flags.online ? await checkOnline(flags, context) : undefined;
    if (output.isJson) await output.json(textOf(result({ valid: true, files, ...(online && { online }) })));
    else if (!output.isQuiet) {
      for (const file of files) await output.line(`${output.out.paint('green', '✓')} ${safe(file)} is valid`);
      const found = online === undefined ? [] : [chainText(online), storeText(online), ...databaseTexts(online)];
      for (const text of found) await output.line(`${output.out.paint('green', '✓')} ${text}`);
    }
  } catch (error) {
    if (!(error instanceof InvalidFile) || output.isJson) throw error;
    throw await printProblems(error, output);
  }
}

interface Online {
  /** Null for the stack's own chain. */
  readonly chain: { readonly url: string; readonly chainId: number; readonly maxFeeWei: string } | null;
  /** Null for the stack's own store. */
  readonly store: (FoundStore & { readonly api: string }) | null;
  /** The schemas of nodes on PostgreSQL. */
  readonly databases: readonly FoundDatabase[];
}

async function checkOnline(flags: ValidateFlags, context: CommandContext): Promise<Online> {
  if (flags.file !== undefined) throw new CliError('USAGE', '--online checks the services of a stack: leave out FILE.');
  const { place, name } = await findStack(flags, context);
  const stack = await loadStack(place, name);
  await findEngine(stack.settings, stack.place);
  if (!(await hasSupervisor(stack))) await checkPorts(stack.layout, stack.settings, externalParties(stack.settings));
  const foundStore = await validateStore(stack.settings);
  if (stack.settings.docker !== null) await requireEngine(place.engine ?? {});
  const found = await validateChain(stack);
  const { chain, store } = stack.settings;
  return {
    chain:
      found === undefined
        ? null
        : { url: chain.external?.url ?? '', chainId: found.chainId, maxFeeWei: found.fees.maxFeePerGas.toString() },
    databases: await inspectDatabases(stack.settings),
    store: foundStore === undefined ? null : { api: store.external?.api ?? '', ...foundStore },
  };
}

function databaseTexts({ databases }: Online): string[] {
  return databases.map(
    ({ party, server, database, schema, form }) =>
      `${safe(server)} has the database ${safe(database)}: ${party} can use the schema ${schema}` +
      (form === 0 ? ', which is new' : ''),
  );
}

function chainText({ chain }: Online): string {
  if (chain === null) return "the chain is the stack's own";
  const gwei = Number(BigInt(chain.maxFeeWei) / 1_000_000n) / 1_000;
  return `${safe(chain.url)} is chain ${chain.chainId}; a transaction offers ${gwei} gwei`;
}

function storeText({ store }: Online): string {
  if (store === null) return "the store is the stack's own";
  return `${safe(store.api)} is IPFS ${safe(store.version)}`;
}

async function validatedFiles(flags: ValidateFlags, context: CommandContext): Promise<readonly string[]> {
  const { environment } = context;
  const isNamed = flags.stack !== undefined || Boolean(environment['STACK_NAME']);
  // In a checkout whose stack does not exist yet, `start` suggests this command for an invalid definition.
  const found = isNamed ? undefined : await findNewDefinition(placeFrom(environment), process.cwd());
  const file = flags.file ?? (flags.online ? undefined : found);
  if (file === undefined) {
    const located = await findStack(flags, context);
    const files = await validateStack(located);
    await checkTls((await loadStack(located.place, located.name)).settings);
    return files;
  }
  const path = resolve(file);
  await validateFile(path);
  return [path];
}

export interface SetFlags extends StackFlags {
  readonly settings: readonly string[];
  readonly user: boolean;
}

/** `stack config set`. @throws CliError USAGE; StackError STACK_FILE_INVALID, LOCKED, TEMPLATE_NOT_FOUND */
export async function setConfig(flags: SetFlags, context: CommandContext): Promise<void> {
  const { output, environment } = context;
  const settings = flags.settings.map((text) => readSetting(text, 'SETTING'));
  const { file, changed } = flags.user
    ? await changeUserSettings(placeFrom(environment), settings, process.cwd()).catch(refuseUserFile)
    : await changeSettings(await findStack(flags, context), settings);
  if (output.isJson) await output.json(textOf(result({ configPath: file, changed })));
  else if (output.isQuiet) await output.out.write(changed.map(({ setting }) => `${setting}\n`).join(''));
  else {
    const mark = output.out.paint('green', '✓');
    const names = changed.map(({ setting, value }) => `${setting} = ${safe(textOf(value))}`);
    await output.line(`${mark} ${names.join(', ')}\n  ${safe(file)}`);
  }
}

/** `config.yaml` is not in STACK_HOME, so the usual hint would not help. @throws CliError PREREQUISITE; other errors */
function refuseUserFile(error: unknown): never {
  const fault = environmentFault(error, 'Choose another directory for it: set XDG_CONFIG_HOME.');
  throw fault === undefined ? error : new CliError('PREREQUISITE', fault.message, { hint: fault.hint, cause: error });
}

export async function printConfigPath(
  flags: StackFlags & { readonly user: boolean },
  context: CommandContext,
): Promise<void> {
  const { output, environment } = context;
  const path = flags.user ? placeFrom(environment).configFile : (await findStack(flags, context)).definitionFile;
  if (output.isJson) await output.json(textOf(result({ configPath: path })));
  else await output.line(safe(path));
}

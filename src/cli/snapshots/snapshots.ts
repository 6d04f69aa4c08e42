import { placeFrom } from '../../stack/layout.js';
import { listSnapshots, type ListedSnapshot, removeSnapshot, sizeOf } from '../../stack/snapshot/list.js';
import type { Manifest } from '../../stack/snapshot/manifest.js';
import { requireSnapshot } from '../../stack/snapshot/places.js';
import { saveSnapshot } from '../../stack/snapshot/saving/save.js';
import { exportSnapshot, importAsStack, importSnapshot } from '../../stack/snapshot/transfer.js';
import type { CommandResult } from '../base.js';
import { CliError } from '../errors/exit.js';
import { textOf } from '../../wire/json/json.js';
import { result } from '../terminal/output.js';
import { confirm, type ConfirmFlags } from '../terminal/prompt.js';
import { ageColumn, type Column, printTable, type TableOptions } from '../terminal/table.js';
import { chooseStackToChange, findStack, type CommandContext } from '../requests/target.js';
import { safe, sizeOf as bytesText, spanOf } from '../terminal/text.js';

interface StackFlag {
  readonly stack?: string | undefined;
}

/** The members of a snapshot in JSON. */
export function snapshotMembers(name: string, manifest: Manifest): Record<string, unknown> {
  const { stack, savedAt, parley, databaseForm, chain, parties } = manifest;
  return {
    name,
    stack,
    savedAt,
    sizeBytes: sizeOf(manifest),
    block: chain.block,
    blockHash: chain.hash,
    chainId: chain.chainId,
    parley,
    databaseForm,
    parties: Object.keys(parties),
  };
}

/** `stack snapshot save`. @throws StackError as `saveSnapshot` */
export async function saveOne(name: string, flags: StackFlag, context: CommandContext): Promise<CommandResult> {
  const stack = await findStack(flags, context);
  const { directory, manifest, heldMs } = await saveSnapshot(stack, name);
  const held = heldMs === 0 ? '' : ` · the stack was paused for ${spanOf(heldMs)}`;
  const size = bytesText(sizeOf(manifest));
  const mark = context.output.out.paint('green', '✓');
  return {
    json: { ...snapshotMembers(name, manifest), dir: directory, heldMs },
    text: `${mark} ${name} saved: ${stack.name} at block ${manifest.chain.block} · ${size}${held}`,
    primary: name,
  };
}

/** `stack snapshot list`. @throws StackError */
export async function listAll(flags: StackFlag & TableOptions, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const stack = await findStack(flags, context);
  const snapshots = await listSnapshots(stack);
  if (output.isJson) {
    const rows = snapshots.map(({ name, directory, manifest, problem }) =>
      manifest === undefined
        ? { name, dir: directory, problem }
        : { ...snapshotMembers(name, manifest), dir: directory },
    );
    await output.json(textOf(result({ stack: stack.name, snapshots: rows })));
  } else if (output.isQuiet) await output.out.write(snapshots.map(({ name }) => `${name}\n`).join(''));
  else if (snapshots.length === 0) {
    await output.note(`${stack.name} has no snapshots. Create one: ${program} snapshot save NAME`);
  } else await printTable(output, snapshots, columns(Date.now()), flags);
}

function columns(nowMs: number): readonly Column<ListedSnapshot>[] {
  const of = (text: (manifest: Manifest) => string) => (row: ListedSnapshot) =>
    row.manifest === undefined ? '' : text(row.manifest);
  return [
    { name: 'snapshot', text: ({ name }) => name },
    ageColumn('created', ({ manifest }) => manifest?.savedAt, nowMs),
    { name: 'block', text: of(({ chain }) => String(chain.block)) },
    { name: 'size', text: of((manifest) => bytesText(sizeOf(manifest))) },
    { name: 'version', spare: 1, text: of(({ parley }) => safe(parley)) },
    { name: 'stack', spare: 2, text: of(({ stack }) => safe(stack)) },
    { name: 'problem', spare: 3, text: ({ problem }) => safe(problem ?? '') },
  ];
}

/** `stack snapshot remove`. @throws StackError as `removeSnapshot`; CliError USAGE */
export async function removeOne(
  name: string,
  flags: StackFlag & ConfirmFlags,
  context: CommandContext,
): Promise<CommandResult | undefined> {
  const chosen = await chooseStackToChange(flags, context, `snapshot remove ${name}`);
  const stack = await findStack({ stack: chosen }, context);
  await requireSnapshot(stack.layout, name);
  const text = `The snapshot ${safe(name)} of ${stack.name} will be deleted.`;
  if (!(await confirm({ text }, flags, context))) return undefined;
  await removeSnapshot(stack, name);
  return {
    json: { removed: name },
    text: `${context.output.out.paint('green', '✓')} ${name} removed`,
    primary: name,
  };
}

/** `stack snapshot export`. @throws CliError USAGE for a wrong file name extension; StackError as `exportSnapshot` */
export async function exportOne(
  name: string,
  file: string | undefined,
  flags: StackFlag,
  context: CommandContext,
): Promise<CommandResult> {
  const { output } = context;
  if (file !== undefined) requireArchiveName(file);
  const stack = await findStack(flags, context);
  const path = await exportSnapshot(stack, name, file ?? `${stack.name}-${name}.tar.gz`);
  await output.note('The file contains the private keys of every party; only you can read it.');
  return {
    json: { exported: name, path, hasKeys: true },
    text: `${output.out.paint('green', '✓')} ${name} exported\n  ${safe(path)}`,
    primary: path,
  };
}

/** Refuses the extension of another archive format. @throws CliError USAGE */
function requireArchiveName(file: string): void {
  const [ending] = /\.(tar\.\w+|tar|zip|7z|rar)$/i.exec(file) ?? [];
  if (ending === undefined || ending.toLowerCase() === '.tar.gz') return;
  const name = `${file.slice(0, -ending.length)}.tar.gz`;
  throw new CliError('USAGE', `A snapshot is exported as .tar.gz, not as ${ending}.`, { hint: `For example: ${name}` });
}

export interface ImportFlags extends StackFlag {
  readonly name?: string | undefined;
  readonly as?: string | undefined;
}

/** `stack snapshot import`. @throws StackError as `importSnapshot` and `importAsStack` */
export async function importOne(file: string, flags: ImportFlags, context: CommandContext): Promise<CommandResult> {
  const mark = context.output.out.paint('green', '✓');
  if (flags.as !== undefined) {
    const { name, dir, manifest } = await importAsStack(placeFrom(context.environment), file, flags.as);
    return {
      json: { name, dir, block: manifest.chain.block, parties: Object.keys(manifest.parties) },
      text: `${mark} ${name} created: ${manifest.stack} at block ${manifest.chain.block}\n  ${safe(dir)}`,
      primary: name,
    };
  }
  const stack = await findStack(flags, context);
  const { name, manifest } = await importSnapshot(stack, file, flags.name);
  return {
    json: snapshotMembers(name, manifest),
    text: `${mark} ${name} imported: ${stack.name} at block ${manifest.chain.block}`,
    primary: name,
  };
}

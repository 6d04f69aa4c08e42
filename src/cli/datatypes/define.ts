import type { datatypeFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Entry, readPage } from '../../client/page.js';
import type { Datatype } from '../../wire/data/datatype.js';
import type { JsonText } from '../../wire/scalar.js';
import { durationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { createGroups } from '../messages/listing/groups.js';
import { jsonValue, loadText, payloadSource } from '../requests/payload.js';
import { signingKey } from '../requests/owners.js';
import { createSender, type Sent, sentJson } from '../messages/sending/send.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type PartyNode, type CommandContext, type Target } from '../requests/target.js';
import { plural, safe, shortId } from '../terminal/text.js';

export type DatatypeFlags = FlagsOf<typeof datatypeFlags> & {
  /** A file with a JSON Schema; `-` = stdin. */
  readonly file: string;
};

interface Definition {
  readonly name: string;
  readonly version: string;
  readonly value: JsonText;
}

/**
 * `stack datatype define`: broadcasts a definition, and waits until parties can use it. Of several definitions with the
 * same name and version, the first in chain order wins everywhere (docs/operations.md §11.6). A definition that exists
 * already is not sent again; its message is waited for instead. Returns `name@version`.
 *
 * @throws CliError USAGE, TIMEOUT, REJECTED if another definition was first; ClientError, UnreachableError
 */
export async function defineDatatype(flags: DatatypeFlags, context: CommandContext): Promise<string> {
  const { output } = context;
  const { definition, timeoutMs } = await checkDefinition(flags);
  const target = await openTarget(flags, context);
  const scope = flags['no-wait'] ? 'none' : (flags.wait ?? 'local');
  const sender = createSender({
    target,
    groups: createGroups(target),
    scope,
    timeoutMs,
    openSocket: target.openSocket,
  });
  try {
    const { author } = flags;
    const key = await signingKey(flags.key, target);
    const body = { ...definition, ...(author !== undefined && { author }), ...(key !== undefined && { key }) };
    const message = await existingMessage(target.party, definition);
    const sent =
      message === undefined
        ? await sender.send((client) => client.broadcastDatatype({ body }))
        : { ...(await sender.send((client) => client.getMessage({ path: { msgid: message } }))), isDuplicate: true };
    const served = await servedAt(sent, definition, target);
    await printDefined(sent, definition, { target, served }, context);
    return safe(`${definition.name}@${definition.version}`);
  } catch (error) {
    const id = error instanceof CliError ? error.details['id'] : undefined;
    if (typeof id === 'string' && !output.isJson) await output.line(id);
    throw error;
  } finally {
    sender.close();
  }
}

/** A definition that was checked as far as possible without a node. */
interface CheckedDefinition {
  readonly definition: Definition;
  readonly timeoutMs: number;
}

/** Reads and checks a definition, without a node. @throws CliError USAGE, NOT_FOUND */
export async function checkDefinition(flags: DatatypeFlags): Promise<CheckedDefinition> {
  const definition = await readDefinition(flags);
  return { definition, timeoutMs: durationMs(flags.timeout, '--timeout') };
}

/**
 * Reads a definition. A missing or malformed file is reported before a missing name; stdin is read last, because it may
 * be a terminal that waits for input.
 */
async function readDefinition(flags: DatatypeFlags): Promise<Definition> {
  const value = flags.file === '-' ? undefined : await readSchema(flags.file);
  const named = nameOf(flags);
  return { ...named, value: value ?? (await readSchema('-')) };
}

/** Name and version, from the flags or from a file name such as `widget-1.0.0.json`. @throws CliError USAGE */
export function nameOf(flags: Pick<DatatypeFlags, 'file' | 'name' | 'version'>): {
  readonly name: string;
  readonly version: string;
} {
  const [, fileName, fileVersion] = /^(.+)-v?(\d[\w.-]*?)(?:\.schema)?\.json$/.exec(basename(flags.file)) ?? [];
  const name = flags.name ?? fileName;
  const version = flags.version ?? fileVersion;
  if (name !== undefined && version !== undefined) return { name, version };
  const missing = name === undefined ? 'name' : 'version';
  throw new CliError('USAGE', `The ${missing} of the datatype is missing.`, {
    hint: 'Add --name and --version, or use a file name like widget-1.0.0.json.',
  });
}

async function readSchema(path: string): Promise<JsonText> {
  const source = path === '-' ? payloadSource('-') : ({ kind: 'file', path } as const);
  const text = await loadText(source, () => readAll(process.stdin));
  return jsonValue(text, path === '-' ? 'The text from stdin' : path);
}

/**
 * The datatype as each awaited party serves it.
 *
 * @throws CliError REJECTED if a party has a different one
 */
async function servedAt(sent: Sent, definition: Definition, target: Target): Promise<ReadonlyMap<string, string>> {
  const waited = target.parties.filter(({ name }) => sent.parties.some((outcome) => outcome.name === name));
  const texts = await Promise.all(waited.map((party) => textAt(party, sent, definition)));
  return new Map(waited.map(({ name }, i) => [name, texts[i] ?? '']));
}

async function textAt(party: PartyNode, sent: Sent, definition: Definition): Promise<string> {
  const found = await foundAt(party, definition);
  if (found !== undefined && isSame(found.value, definition)) return found.text;
  throw otherDefinition(party, definition, found?.value, { id: sent.id });
}

/**
 * The message of the same definition, if the party has it already.
 *
 * @throws CliError REJECTED if another definition has its name and version
 */
async function existingMessage(party: PartyNode, definition: Definition): Promise<string | undefined> {
  const found = (await foundAt(party, definition))?.value;
  if (found === undefined || isSame(found, definition)) return found?.message;
  throw otherDefinition(party, definition, found, {});
}

async function foundAt({ client }: PartyNode, { name, version }: Definition): Promise<Entry<Datatype> | undefined> {
  const { entries } = await readPage(client, 'listDatatypes', [
    ['name', `=${name}`],
    ['version', `=${version}`],
  ]);
  return entries[0];
}

function isSame({ hash }: Datatype, { value }: Definition): boolean {
  return hash === createHash('sha256').update(value).digest('hex');
}

function otherDefinition(
  party: PartyNode,
  { name, version }: Definition,
  found: Datatype | undefined,
  details: Readonly<Record<string, unknown>>,
): CliError {
  const datatype = `${name}@${version}`;
  const text =
    found === undefined
      ? `${party.name} has no datatype ${datatype}.`
      : `Another definition of ${datatype} was first at ${party.name}: ${found.id}.`;
  return new CliError('REJECTED', text, {
    ...(found !== undefined && { hint: 'A definition cannot be changed: choose another --version.' }),
    details: { ...details, party: party.name },
  });
}

async function printDefined(
  sent: Sent,
  { name, version }: Definition,
  { target, served }: { readonly target: Target; readonly served: ReadonlyMap<string, string> },
  { output, program }: CommandContext,
): Promise<void> {
  const own = served.get(target.party.name);
  const shown = safe(`${name}@${version}`);
  if (output.isJson) await output.json(sentJson(sent, own === undefined ? {} : { datatype: own }));
  else if (output.isQuiet) await output.line(sent.id);
  else if (served.size === 0) {
    await output.line(`${shown} is on its way, in message ${output.out.isTerminal ? shortId(sent.id) : sent.id}`);
    await output.note(`Check the result: ${program} messages watch ${sent.id}`);
  } else {
    const where =
      served.size > 1 ? `${served.size}/${plural(target.parties.length, 'party', 'parties')}` : target.party.name;
    const mark = output.out.isTerminal ? `${output.out.paint('green', '✓')} ` : '';
    await output.line(`${mark}${shown} usable at ${where}${sent.isDuplicate ? ' · defined before' : ''}`);
  }
}

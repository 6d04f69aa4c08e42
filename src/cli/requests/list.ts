import type { listFlags, targetFlags, tableFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Client } from '../../client/client.js';
import {
  type Entry,
  type Keys,
  type ListName,
  type Parameters,
  readAll,
  readPage,
  type RecordOf,
} from '../../client/page.js';
import { CliError } from '../errors/exit.js';
import type { Output } from '../terminal/output.js';
import { type Column, printTable } from '../terminal/table.js';
import { openTarget, type CommandContext } from './target.js';

/** The flags of every list (docs/operations.md §11.7). */
export type ListFlags = FlagsOf<typeof listFlags> & FlagsOf<typeof targetFlags> & FlagsOf<typeof tableFlags>;

/** A list of a node, and how it is printed. */
export interface Collection<Name extends ListName> {
  readonly route: Name;
  /** Such as `messages`. */
  readonly noun: string;
  readonly keys: Keys<RecordOf<Name>>;
  readonly columns: readonly Column<RecordOf<Name>>[];
  /** Whether the newest page is printed as a history, newest last; default: in the node's order. */
  readonly isReversed?: boolean;
  /** Completes each record from another route; its text may get one additional last member. */
  readonly complete?: ((client: Client, entry: Entry<RecordOf<Name>>) => Promise<Entry<RecordOf<Name>>>) | undefined;
}

/**
 * Prints a list: a page, or with `--all` everything, page by page without buffering.
 *
 * @throws CliError USAGE; ClientError, UnreachableError
 */
export async function printList<Name extends ListName>(
  flags: ListFlags,
  collection: Collection<Name>,
  parameters: Parameters,
  context: CommandContext,
): Promise<void> {
  const { output } = context;
  const filters = [...parameters, ...(flags.filter ?? []).map(readFilter)];
  const { party } = await openTarget(flags, context);
  const { route, keys } = collection;
  if (flags.all) {
    const pages = readAll(party.client, route, filters, keys);
    await printPages(completed(pages, party.client, collection), flags, collection, output);
    return;
  }
  const skip = flags.skip > 0 ? [['skip', String(flags.skip)] as const] : [];
  const page = await readPage(party.client, route, [...filters, ['limit', String(flags.limit)], ...skip]);
  if (output.isJson && collection.isReversed !== true && collection.complete === undefined) {
    await output.json(page.text);
    return;
  }
  const entries = collection.isReversed === true ? page.entries.toReversed() : page.entries;
  await printPages(completed(only(entries), party.client, collection), flags, collection, output);
}

/** Parses `field=value`. @throws CliError USAGE for anything else */
export function readFilter(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new CliError('USAGE', `--filter must be like field=value, not "${text}".`, {
    hint: "Values may begin with an operator: 'tag=^order', 'created=>2026-01-01T00:00:00Z', 'tag=!x'.",
  });
}

/** Number of records completed at once. */
const maxAtOnce = 8;

async function* completed<Name extends ListName>(
  pages: AsyncIterable<readonly Entry<RecordOf<Name>>[]>,
  client: Client,
  { complete }: Collection<Name>,
): AsyncGenerator<readonly Entry<RecordOf<Name>>[]> {
  for await (const page of pages) {
    if (complete === undefined) yield page;
    else {
      for (let i = 0; i < page.length; i += maxAtOnce) {
        yield await Promise.all(page.slice(i, i + maxAtOnce).map((entry) => complete(client, entry)));
      }
    }
  }
}

async function* only<Value>(page: Value): AsyncGenerator<Value> {
  yield await Promise.resolve(page);
}

async function printPages<Name extends ListName>(
  pages: AsyncIterable<readonly Entry<RecordOf<Name>>[]>,
  flags: ListFlags,
  collection: Collection<Name>,
  output: Output,
): Promise<void> {
  if (output.isJson) {
    await printArray(pages, output);
    return;
  }
  let count = 0;
  for await (const page of pages) {
    const rows = page.map(({ value }) => value);
    if (output.isQuiet) await output.out.write(rows.map((row) => `${collection.keys.id(row)}\n`).join(''));
    else if (rows.length > 0) {
      const hasHeaders = count === 0 && !flags['no-headers'];
      await printTable(output, rows, collection.columns, { columns: flags.columns, hasHeaders });
    }
    count += page.length;
  }
  if (count === 0 && !output.isQuiet) await output.note(`No ${collection.noun} found.`);
}

/** Prints an array of records as served; on a terminal it is indented, which requires the whole text. */
async function printArray(pages: AsyncIterable<readonly Entry<unknown>[]>, output: Output): Promise<void> {
  const texts: string[] = [];
  let isFirst = true;
  if (!output.out.isTerminal) await output.out.write('[');
  for await (const page of pages) {
    const chunk = page.map(({ text }) => text).join(',');
    if (output.out.isTerminal) texts.push(chunk);
    else if (chunk !== '') await output.out.write(isFirst ? chunk : `,${chunk}`);
    isFirst = isFirst && chunk === '';
  }
  if (output.out.isTerminal) await output.json(`[${texts.filter((text) => text !== '').join(',')}]`);
  else await output.out.write(']\n');
}

import { readPage } from '../../client/page.js';
import type { Datatype } from '../../wire/data/datatype.js';
import { type DatatypeName, parseDatatypeName } from './name.js';
import { CliError } from '../errors/exit.js';
import type { Collection } from '../requests/list.js';
import { recordText } from '../requests/record-text.js';
import { ageColumn } from '../terminal/table.js';
import type { PartyNode } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';

/** The list of datatypes. */
export function datatypeCollection(nowMs: number): Collection<'listDatatypes'> {
  return {
    route: 'listDatatypes',
    noun: 'datatypes',
    keys: { id: ({ id }) => id, field: 'created', key: ({ created }) => created },
    columns: [
      { name: 'name', text: ({ name }) => safe(name) },
      { name: 'version', text: ({ version }) => safe(version) },
      { name: 'id', text: ({ id }, isTerminal) => (isTerminal ? shortId(id) : id) },
      { name: 'hash', spare: 1, text: ({ hash }, isTerminal) => (isTerminal ? hash.slice(0, 8) : hash) },
      ageColumn('created', ({ created }) => created, nowMs),
    ],
  };
}

/** Describes one datatype for a person. */
export function datatypeText(datatype: Datatype): string {
  return recordText([
    ['name', datatype.name],
    ['version', datatype.version],
    ['id', datatype.id],
    ['message', datatype.message],
    ['created', datatype.created],
    ['namespace', datatype.namespace],
    ['hash', datatype.hash],
    ['schema', datatype.value],
  ]);
}

/**
 * Resolves `NAME` or `NAME@VERSION`; without a version, to the newest. @throws CliError NOT_FOUND, USAGE; ClientError
 */
export async function resolveDatatype({ client }: PartyNode, text: string): Promise<DatatypeName> {
  const { name, version } = parseDatatypeName(text);
  if (version !== undefined) return { name, version };
  const { entries } = await readPage(client, 'listDatatypes', [
    ['name', `=${name}`],
    ['sort', '-created'],
    ['limit', '1'],
  ]);
  const newest = entries[0]?.value.version;
  if (newest === undefined) throw new CliError('NOT_FOUND', `There is no datatype "${name}".`);
  return { name, version: newest };
}

import { type Parameters, readPage } from '../../client/page.js';
import type { Datatype } from '../../wire/data/datatype.js';
import { nearestHint } from '../../wire/lists/query.js';
import { type DatatypeName, parseDatatypeName } from './name.js';
import { CliError } from '../errors/exit.js';
import type { Collection } from '../requests/list.js';
import { recordText } from '../requests/record-text.js';
import { ageColumn } from '../terminal/table.js';
import type { PartyNode } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';

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
 * Resolves `NAME` or `NAME@VERSION` to a datatype that the node has; without a version, to the newest.
 *
 * @throws CliError NOT_FOUND, USAGE; ClientError
 */
export async function resolveDatatype({ client }: PartyNode, text: string): Promise<DatatypeName> {
  const { name, version } = parseDatatypeName(text);
  const list = async (...filters: Parameters) =>
    (await readPage(client, 'listDatatypes', [...filters, ['sort', '-created']])).entries.map(({ value }) => value);
  const known = await list(['name', `=${name}`]);
  const [newest] = known;
  if (newest === undefined) {
    const names = [...new Set((await list()).map((each) => each.name))];
    throw new CliError('NOT_FOUND', `There is no datatype "${name}"${nearestHint(name, names)}`);
  }
  if (version === undefined) return { name, version: newest.version };
  const [found] = await list(['name', `=${name}`], ['version', `=${version}`]);
  if (found !== undefined) return { name, version };
  const versions = known.map((each) => each.version);
  throw new CliError('NOT_FOUND', `${name} has no version "${version}"${nearestHint(version, versions)}`);
}

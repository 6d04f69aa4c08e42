import { isAbsolute, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';

const strict = { additionalProperties: false };

/** The database of nodes, or of one party's node. */
export const DatabaseDefinition = Type.Object(
  {
    provider: Type.Optional(
      Type.Union([Type.Literal('sqlite3'), Type.Literal('postgres')], { description: 'sqlite3 or postgres' }),
    ),
    url: Type.Optional(
      Type.String({
        pattern: '^file:.+$',
        maxLength: 4_096,
        description: 'file: and the path of a file of mode 0600 with the address',
      }),
    ),
    schema: Type.Optional(
      Type.String({
        pattern: '^[a-z_][a-z0-9_-]{0,62}$',
        description: 'a name of a-z 0-9 _ - of at most 63 characters that begins with a letter or _',
      }),
    ),
  },
  { ...strict, description: 'a mapping with provider, and for postgres url' },
);
type Definition = Static<typeof DatabaseDefinition>;

/** The PostgreSQL database of a party's node. */
export interface PostgresSettings {
  /** The absolute path of the file with the address. */
  readonly urlFile: string;
  readonly schema: string;
}

interface Named {
  readonly name: string;
}

/** The database of a party's node by its own setting, or that of the stack; undefined for SQLite. */
export function databaseOf(
  stack: string,
  party: Named,
  own?: Definition,
  all?: Definition,
): PostgresSettings | undefined {
  const definition = own ?? all;
  if (definition?.provider !== 'postgres' || definition.url === undefined) return undefined;
  return {
    urlFile: definition.url.slice('file:'.length),
    schema: definition.schema ?? `${stack}_${party.name}`,
  };
}

/** A party with the file of its database resolved against the directory of `stack.yaml`. */
export function databaseFrom<P extends { readonly database?: PostgresSettings }>(directory: string, party: P): P {
  const { database } = party;
  if (database === undefined || isAbsolute(database.urlFile)) return party;
  return { ...party, database: { ...database, urlFile: resolve(directory, database.urlFile) } };
}

export interface DatabaseProblem {
  readonly path: string;
  readonly message: string;
}

const maxSchemaCharacters = 63;
const reservedPrefix = 'pg_';

/** Invalid combinations that the schema allows. */
export function databaseProblems(
  all: Definition | undefined,
  own: readonly (Definition | undefined)[],
  parties: readonly { readonly name: string; readonly database?: PostgresSettings }[],
): readonly DatabaseProblem[] {
  const places = [{ path: '/database', definition: all }].concat(
    own.map((definition, index) => ({ path: `/parties/${index}/database`, definition })),
  );
  return [
    ...places.flatMap(({ path, definition }) => (definition === undefined ? [] : incomplete(path, definition))),
    ...parties.flatMap((party, index) => {
      const { database } = party;
      if (database === undefined) return [];
      const path = own[index] === undefined ? '/database' : `/parties/${index}/database`;
      if (database.schema.length > maxSchemaCharacters) {
        const message =
          `The schema ${database.schema} of ${party.name} has more than 63 characters: ` + 'set database.schema.';
        return [{ path, message }];
      }
      if (database.schema.startsWith(reservedPrefix)) {
        // The name of the stack begins the schema of every party without one of its own: one sentence is for all.
        const isReported = parties.slice(0, index).some((other) => other.database?.schema.startsWith(reservedPrefix));
        if (own[index] === undefined && isReported) return [];
        const message =
          `The schema ${database.schema} of ${party.name} begins with ${reservedPrefix}, ` +
          'which PostgreSQL reserves: set database.schema of each party, or rename the stack.';
        return [{ path, message }];
      }
      const twin = parties.slice(0, index).find((other) => isSame(other.database, database));
      if (twin === undefined) return [];
      const message =
        `${twin.name} and ${party.name} would have the same schema ${database.schema}: ` +
        'remove database.schema, or give each party another one.';
      return [{ path, message }];
    }),
  ];
}

function isSame(one: PostgresSettings | undefined, other: PostgresSettings): boolean {
  return one?.schema === other.schema && one.urlFile === other.urlFile;
}

function incomplete(path: string, { provider, url, schema }: Definition): DatabaseProblem[] {
  if (provider === 'postgres') {
    if (url !== undefined) return [];
    const message = 'database.provider postgres needs database.url, file: and the path of a file with the address.';
    return [{ path, message }];
  }
  const foreign = url !== undefined ? 'url' : schema !== undefined ? 'schema' : undefined;
  if (foreign === undefined) return [];
  const message = `database.${foreign} is for PostgreSQL: add provider: postgres, or remove it.`;
  return [{ path: `${path}/${foreign}`, message }];
}

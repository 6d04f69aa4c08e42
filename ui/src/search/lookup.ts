import type { Client } from '../../../src/client/client.js';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { pages } from '../pages.js';
import type { Place } from '../url/place.js';
import type { Form, Reading } from './classify.js';

/** One answer to a search. */
export interface Hit {
  readonly key: string;
  readonly label: string;
  /** A second line of its own: what kind of record it is, or who made it. */
  readonly about?: string;
  readonly to: Partial<Place>;
  /** Whether the search text names it completely. */
  readonly isExact: boolean;
}

/** A kind of record that a search asks for. */
export interface Kind {
  readonly title: string;
  /** Undefined where the readings cannot mean a record of this kind. */
  readonly ask: (
    readings: readonly Reading[],
    client: Client,
    signal: AbortSignal,
  ) => Promise<readonly Hit[]> | undefined;
}

const maxHits = 5;

type Where = Partial<Readonly<Record<Form, (text: string) => Parameters>>>;

interface Lookup<Name extends ListName> {
  readonly title: string;
  /** The page that shows a record of this kind. */
  readonly page: string;
  readonly list: Name;
  /** The parameters of the request, by the form of the text. */
  readonly where: Where;
  readonly limit?: number;
  readonly hits: (row: RecordOf<Name>, reading: Reading) => readonly Omit<Hit, 'to'>[];
  /** The place of a hit, by its key. Default: the record beside the first list of the page. */
  readonly to?: (key: string) => Partial<Place>;
}

/** A kind that one request to a list finds, by the form of the text. */
export function lookup<Name extends ListName>(options: Lookup<Name>): readonly Kind[] {
  const { title, page, list, where, limit = maxHits, hits, to = (key: string) => ({ open: key }) } = options;
  // A page that does not exist cannot show what would be found.
  if (!pages.some(({ name }) => name === page)) return [];
  return [
    {
      title,
      ask(readings, client, signal) {
        const questions = readings.flatMap((reading) => {
          const parameters = where[reading.is]?.(reading.text);
          return parameters === undefined ? [] : [{ reading, parameters }];
        });
        if (questions.length === 0) return undefined;
        const answers = questions.map(async ({ reading, parameters }) => {
          const { entries } = await readPage(client, list, [...parameters, ['limit', String(limit)]], signal);
          return entries.flatMap(({ value }) => hits(value, reading));
        });
        return Promise.all(answers).then((found) => {
          const unique = new Map(
            found.flat().map((hit) => [hit.key, { ...hit, to: { ...emptied, page, ...to(hit.key) } }]),
          );
          return [...unique.values()].slice(0, maxHits);
        });
      },
    },
  ];
}

/** A place without anything of the one that the search was begun at. */
export const emptied: Partial<Place> = {
  id: undefined,
  open: undefined,
  tab: undefined,
  query: undefined,
  filters: [],
  from: undefined,
  to: undefined,
  sort: undefined,
  columns: undefined,
};

export const byId: Where = {
  uuid: (text) => [['id', text]],
  prefix: (text) => [['id', `^${text}`]],
};
export const begins = (field: string) => (text: string) => [[field, `:^${text}`]] as const;
export const isSame = (value: string | undefined, { text }: Reading): boolean => value === text;
export const named = (name: string, version: string): string => `${name}@${version}`;
export const nameAndVersion = (text: string): Parameters => {
  const [name = '', version = ''] = text.split('@');
  return [
    ['name', name],
    ['version', version],
  ];
};
/** A filter of the URL that takes exactly this value, whatever signs it begins with. */
export const filterOf = (field: string, value: string): Partial<Place> => ({ filters: [`${field}==${value}`] });

export const few = ['limit', String(maxHits)] as const;

/** The ids of the transactions that have a transaction of the chain. */
export async function transactionsOf(hash: string, client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const { entries } = await readPage(client, 'listTransactions', [['blockchainids', hash], few], signal);
  return entries.map(({ value }) => value.id);
}

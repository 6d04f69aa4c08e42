import type { Client } from '../../../src/client/client.js';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { pages } from '../pages.js';
import type { Place } from '../url/place.js';
import type { Form, Reading } from './classify.js';

export interface Hit {
  readonly key: string;
  readonly label: string;
  /** The second line, such as type and state. */
  readonly about?: string;
  readonly to: Partial<Place>;
  /** Whether the search text is its complete id, name or hash. */
  readonly isExact: boolean;
}

export interface Kind {
  readonly title: string;
  /** Starts the search; undefined if no reading of the text fits this kind. */
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
  /** The query parameters, by the form of the text. */
  readonly where: Where;
  readonly limit?: number;
  readonly hits: (row: RecordOf<Name>, reading: Reading) => readonly Omit<Hit, 'to'>[];
  /** The place of a hit, by its key. Default: the record in the side panel of the page's first list. */
  readonly to?: (key: string) => Partial<Place>;
}

/** A kind that is searched with one list request per reading. Empty if its page does not exist. */
export function lookup<Name extends ListName>(options: Lookup<Name>): readonly Kind[] {
  const { title, page, list, where, limit = maxHits, hits, to = (key: string) => ({ open: key }) } = options;
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

/** Clears everything but namespace and page. */
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
export const contains = (field: string) => (text: string) => [[field, `:@${text}`]] as const;
export const isSame = (value: string | undefined, { text }: Reading): boolean => value === text;
export const named = (name: string, version: string): string => `${name}@${version}`;
export const nameAndVersion = (text: string): Parameters => {
  const [name = '', version = ''] = text.split('@');
  return [
    ['name', name],
    ['version', version],
  ];
};
/** A filter for exactly this value, even if it begins with an operator of the query syntax. */
export const filterOf = (field: string, value: string): Partial<Place> => ({ filters: [`${field}==${value}`] });

export const few = ['limit', String(maxHits)] as const;

/** The ids of the transactions that contain a blockchain transaction. */
export async function transactionsOf(hash: string, client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const { entries } = await readPage(client, 'listTransactions', [['blockchainids', hash], few], signal);
  return entries.map(({ value }) => value.id);
}

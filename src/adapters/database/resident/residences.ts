import type { TableName } from '../../../ports/tables/tables.js';
import type { Condition } from '../../../wire/lists/query.js';
import type { Columns } from '../statements/selection.js';

/** The rows of a table that are cached in memory. */
export interface Residence {
  /**
   * The open rows, all of which are always cached: the whole table, the rows with one of these values in a column (open
   * work), or, where nothing queries them, none.
   */
  readonly open: 'all' | 'none' | { readonly column: string; readonly values: readonly (string | boolean)[] };
  /** If a table has more open rows than this, none of it is cached. */
  readonly maxOpen: number;
  /** The number of recently written rows, other than open ones, that are cached, within a limit on their size. */
  readonly maxRecent: number;
  /** Whether all rows after some sequence are cached, as long as none was evicted. */
  readonly isLog?: boolean;
}

/** Enough for a small table of few members or of work in progress. */
const small: Residence = { open: 'all', maxOpen: 2_000, maxRecent: 0 };

export type Residences = { readonly [T in TableName]?: Residence };

/** The tables with rows cached in memory. */
export const residences: Residences = {
  messages: { open: { column: 'state', values: ['staged', 'ready'] }, maxOpen: 20_000, maxRecent: 500, isLog: true },
  batches: { open: { column: 'state', values: ['sealed', 'pinned', 'wanted'] }, maxOpen: 500, maxRecent: 100 },
  operations: { open: { column: 'status', values: ['Initialized', 'Pending'] }, maxOpen: 2_000, maxRecent: 0 },
  pins: { open: { column: 'spent', values: [false] }, maxOpen: 10_000, maxRecent: 0 },
  data: { open: 'none', maxOpen: 0, maxRecent: 500 },
  payloads: { open: 'none', maxOpen: 0, maxRecent: 8 },
  transactions: { open: 'none', maxOpen: 0, maxRecent: 100 },
  events: { open: 'none', maxOpen: 0, maxRecent: 300, isLog: true },
  // Three full batches, whose contexts become due within one second.
  due: { ...small, maxOpen: 10_000 },
  waits: small,
  judgements: small,
  cursors: small,
  networks: small,
  identities: small,
  keys: small,
  sources: small,
  listeners: small,
  subscriptions: small,
  candidates: { open: 'all', maxOpen: 200, maxRecent: 0 },
  nextpins: small,
};

/** The limit on the characters of all recent rows of a table; beyond it texts are not cached. */
export const maxRecentCharacters = 1_048_576;

/** Whether a row is always cached. */
export function isOpenRow({ open }: Residence, row: Columns): boolean {
  if (typeof open === 'string') return open === 'all';
  return open.values.some((value) => row[open.column] === value);
}

/** Whether changes can make a closed row open. */
export function canOpen({ open }: Residence, changes: Columns): boolean {
  return typeof open === 'object' && open.column in changes && open.values.includes(valueIn(open.column, changes));
}

/** Whether conditions select only open rows. */
export function meansOpen({ open }: Residence, where: readonly Condition[]): boolean {
  if (typeof open === 'string') return open === 'all';
  const isOpen = (value: unknown): boolean => open.values.some((each) => each === value);
  return where.some((condition) => {
    if (!('field' in condition) || condition.field !== open.column) return false;
    if (condition.is === 'equal') return isOpen(condition.value);
    return condition.is === 'in' && condition.values.every(isOpen);
  });
}

function valueIn(column: string, { [column]: value }: Columns): string | boolean {
  return typeof value === 'boolean' ? value : String(value);
}

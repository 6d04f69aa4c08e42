import type { ListQuery } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';
import type { Selection } from '../typed.js';
import type { Keys } from '../../../ports/tables/shape.js';
import type { TableName } from '../../../ports/tables/tables.js';
import { among, oldestFirst } from '../../../wire/lists/query.js';
import type { Connection } from '../connection.js';
import {
  type CommittedResidents,
  createCommittedResidents,
  exactResident,
  findResident,
  type Residents,
  selectResident,
} from './resident.js';
import { createResidentLayer, type ResidentLayer } from './layer.js';
import type { Residence, Residences } from './residences.js';
import { countIn, keptRow } from '../statements/rows.js';
import type { Columns } from '../statements/selection.js';
import { tableNames } from '../tables/tables.js';

/**
 * A cache of rows of the file: those of open work, small tables, and recently written rows. Reads that it can answer
 * need no statement, and it receives every change before the change is written.
 *
 * No other process writes to the file, and every write of this one passes through here. If it cannot tell which rows a
 * write changes, it drops its rows of the table and reads them again.
 */
export interface ResidentStore {
  /** Reads the tables that are not cached, unless they are too large. */
  refresh(connection: Connection, used: ReadonlyMap<TableName, number>): Promise<void>;
  /** Drops all rows, so that the next `refresh` reads them again. */
  distrust(): void;
  /** The committed rows. */
  readonly committed: ResidentView;
  /** Begins a transaction. */
  begin(): ResidentTransaction;
}

export interface ResidentView {
  /** The rows of a query; undefined if they must be read from the file. */
  find(table: TableName, query: ListQuery): readonly Columns[] | undefined;
  /** The rows of a selection, in no order; undefined if they must be read from the file. */
  select(table: TableName, selection: Selection): readonly Columns[] | undefined;
  /** Looks up values of a unique key: returns the cached rows, and the values that must be read from the file. */
  exact<T extends TableName>(
    table: T,
    keys: Keys<T>,
  ): { readonly rows: ReadonlySet<Columns>; readonly missing: Keys<T>['values'] };
  of(table: TableName): Residents | undefined;
}

/** The changes that the units of a transaction have made so far. */
export interface ResidentTransaction {
  /** Begins a unit. */
  begin(): ResidentUnit;
  /** Applies the changes; call it when the transaction is on disk. */
  commit(): void;
}

export interface ResidentUnit extends ResidentView {
  of(table: TableName): ResidentLayer | undefined;
  /** Moves the changes of the unit to the transaction. */
  end(): void;
}

/** The number of commits after which a table that was too large is read again. */
const commitsUntilNextLook = 200;

/** The number of rows read at once; reading more would delay everything else. */
const maxFilled = 5_000;

/** Creates an empty cache; the first `refresh` fills it. */
export function createResidentStore(residences: Residences): ResidentStore {
  const committed = new Map<TableName, CommittedResidents>();
  const nextLook = new Map<TableName, number>();
  let commits = 0;
  for (const table of tableNames) {
    const residence = residences[table];
    if (residence !== undefined) committed.set(table, createCommittedResidents(table, residence));
  }

  return {
    async refresh(connection, used) {
      for (const [table, residents] of committed) {
        if (residents.isWhole() || (nextLook.get(table) ?? 0) > commits) continue;
        const rows = await readOpen(connection, table, residents.residence);
        if (rows === undefined) nextLook.set(table, commits + commitsUntilNextLook);
        residents.fill(rows, used.get(table) ?? 0);
      }
    },
    distrust() {
      for (const residents of committed.values()) residents.distrust();
      nextLook.clear();
    },
    committed: viewOf((table) => committed.get(table)),
    begin() {
      const layers = createLayers((table) => committed.get(table));
      return {
        begin() {
          const own = createLayers(layers.of);
          return {
            ...viewOf(own.of),
            of: own.of,
            end: () => own.each((table, layer) => mergeInto(layers.of(table), layer)),
          };
        },
        commit() {
          commits += 1;
          layers.each((table, layer) => {
            const residents = committed.get(table);
            if (layer.isWhole()) residents?.apply(layer.changes());
            else residents?.distrust();
          });
        },
      };
    },
  };
}

/** Creates the layers above some rows, each when its table is first used. */
function createLayers(below: (table: TableName) => Residents | undefined) {
  const layers = new Map<TableName, ResidentLayer>();
  return {
    of(table: TableName): ResidentLayer | undefined {
      const known = layers.get(table);
      if (known !== undefined) return known;
      const residents = below(table);
      if (residents === undefined) return undefined;
      const layer = createResidentLayer(table, residents);
      layers.set(table, layer);
      return layer;
    },
    each(visit: (table: TableName, layer: ResidentLayer) => void): void {
      for (const [table, layer] of layers) visit(table, layer);
    },
  };
}

function mergeInto(below: ResidentLayer | undefined, layer: ResidentLayer): void {
  if (below === undefined) return;
  if (!layer.isWhole()) below.distrust();
  const gone = [...layer.changes()].filter(([, row]) => row === undefined);
  for (const [sequence] of gone) {
    const row = below.at(sequence);
    if (row !== undefined) below.remove(row);
  }
  for (const row of layer.changes().values()) if (row !== undefined) below.set(row);
}

function viewOf<R extends Residents>(of: (table: TableName) => R | undefined) {
  return {
    find(table: TableName, query: ListQuery) {
      const residents = of(table);
      return residents && findResident(table, residents, query);
    },
    select(table: TableName, selection: Selection) {
      const residents = of(table);
      return residents && selectResident(table, residents, selection);
    },
    exact<T extends TableName>(table: T, keys: Keys<T>) {
      const residents = of(table);
      if (residents === undefined) return { rows: new Set<Columns>(), missing: keys.values };
      return exactResident(table, residents, keys);
    },
    of,
  };
}

/** Reads the open rows of a table; undefined if there are too many. */
async function readOpen(
  connection: Connection,
  table: TableName,
  { open, maxOpen }: Residence,
): Promise<readonly Columns[] | undefined> {
  if (open === 'none') return [];
  const { dialect } = connection;
  const selection = {
    namespace: every,
    where: open === 'all' ? [] : [among(open.column, open.values)],
  } as const;
  const count = countIn(await connection.rows(dialect.count(table, selection)));
  // Half of the limit, so that a table of about that size is not read again and again.
  if (count > Math.min(maxOpen / 2, maxFilled)) return undefined;
  if (count === 0) return [];
  const query = { ...selection, sort: oldestFirst, limit: count };
  return dialect.found(table, await connection.rows(dialect.find(table, query))).map((row) => keptRow({ ...row }));
}

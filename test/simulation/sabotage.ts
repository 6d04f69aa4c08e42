import type { Database, Unit } from '../../src/ports/database.js';
import type { SabotagedPorts } from './party.js';

/** A rule broken on purpose, and the invariants of which one must notice. */
export interface Sabotage {
  readonly rule: string;
  readonly caughtBy: readonly string[];
  readonly apply: (ports: SabotagedPorts) => SabotagedPorts;
}

function inUnits(change: (unit: Unit) => Partial<Unit>): Sabotage['apply'] {
  return ({ database, ...rest }) => {
    const changed: Database = {
      ...database,
      transaction: (work) => database.transaction((unit) => work({ ...unit, ...change(unit) })),
    };
    return { database: changed, ...rest };
  };
}

/** Stands in for what a slip in the core would do; each is a line or two, as such slips are. */
export const sabotages: readonly Sabotage[] = [
  {
    rule: 'earlier unspent pins are ignored',
    caughtBy: ['I4', 'I13', 'error'],
    apply: inUnits((unit) => ({
      find: async (table, query) => {
        const rows = await unit.find(table, query);
        return table === 'pins' ? [...rows].reverse() : rows;
      },
    })),
  },
  {
    rule: 'pins are spent in one context only',
    caughtBy: ['I4', 'I12', 'error'],
    apply: inUnits((unit) => ({
      update: async (table, selection, changes) => {
        if (table !== 'pins') return unit.update(table, selection, changes);
        const rows = await unit.find(table, { ...selection, sort: [{ field: 'sequence' }], limit: 1_000 });
        const [first] = rows;
        const where = [{ field: 'sequence', is: 'equal', value: first?.sequence ?? 0 }] as const;
        await unit.update(table, { ...selection, where }, changes);
        return rows.length;
      },
    })),
  },
  {
    rule: 'an event is written and the decision is not',
    caughtBy: ['I1', 'I14'],
    apply: inUnits((unit) => ({
      update: (table, selection, changes) =>
        table === 'messages' && 'state' in changes
          ? unit.count(table, selection)
          : unit.update(table, selection, changes),
    })),
  },
  {
    rule: 'a message has two events',
    caughtBy: ['I2'],
    apply: inUnits((unit) => ({
      insert: async (table, rows) => {
        await unit.insert(table, rows);
        if (table !== 'events') return;
        const others = rows.map((row) => ({
          ...row,
          id: `f${String('id' in row ? row.id : '').slice(1)}`,
          type: 'message_rejected' as const,
        }));
        await unit.insert(table, others);
      },
    })),
  },
  {
    rule: 'the nonce of a call is not stored before the call is sent',
    caughtBy: ['I1', 'I12', 'error'],
    apply: inUnits((unit) => ({
      update: async (table, selection, changes) => {
        if (table !== 'operations' || !('nonce' in changes)) return unit.update(table, selection, changes);
        return unit.count(table, selection);
      },
    })),
  },
  {
    rule: 'the cursor is written before its pins',
    caughtBy: ['I1', 'I4', 'I12', 'error'],
    apply: ({ database, ...rest }) => ({
      ...rest,
      database: {
        ...database,
        async transaction(work) {
          let cursor: (() => Promise<unknown>) | undefined;
          const trial = async (unit: Unit) =>
            work({
              ...unit,
              update: async (table, selection, changes) => {
                if (table !== 'cursors') return unit.update(table, selection, changes);
                cursor = () => database.transaction((other) => other.update(table, selection, changes));
                return unit.update(table, selection, changes);
              },
            });
          // The unit is run for its cursor, which is committed first; a death in between loses the rest.
          const rolledBack = new Error('only the cursor was wanted');
          await database
            .transaction(async (unit) => {
              await trial(unit);
              throw rolledBack;
            })
            .catch((error: unknown) => {
              if (error !== rolledBack) throw error;
            });
          if (cursor === undefined) return database.transaction(work);
          await cursor();
          return database.transaction(work);
        },
      },
    }),
  },
  {
    rule: 'a request is answered before it is on disk',
    caughtBy: ['I1', 'I2', 'I4', 'I12'],
    apply: ({ database, ...rest }) => ({
      ...rest,
      database: {
        ...database,
        transaction: (work) =>
          new Promise((resolve, reject) => {
            database
              .transaction(async (unit) => {
                const result = await work(unit);
                resolve(result);
                return result;
              })
              .catch(reject);
          }),
      },
    }),
  },
  {
    rule: 'a message is stored and its key is not',
    caughtBy: ['I2'],
    apply: inUnits((unit) => ({
      insert: (table, rows) =>
        unit.insert(table, table === 'messages' ? rows.map((row) => ({ ...row, idempotencyKey: null })) : rows),
    })),
  },
  {
    rule: 'a ring is the only thing that wakes, and what it brings is lost',
    caughtBy: ['I1', 'I12'],
    apply: inUnits((unit) => ({
      put: async (table, rows) => (table === 'due' ? undefined : unit.put(table, rows)),
    })),
  },
];

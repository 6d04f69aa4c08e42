import type { Blockchain, LogPage, PageAnswer, Watching } from '../../src/ports/blockchain.js';
import { ChainError } from '../../src/ports/blockchain.js';
import type { Database, Unit } from '../../src/ports/database.js';
import { type SharedStore, StoreError } from '../../src/ports/shared-store.js';
import type { NewRow, TableName } from '../../src/ports/tables/tables.js';
import type { CallOptions, Life, Simulator } from './life.js';
import { delayOf } from './time.js';

/** A write of a committed unit. */
export interface Write {
  readonly kind: 'insert' | 'put' | 'update' | 'remove';
  readonly table: TableName;
  readonly rows: readonly object[];
  /** Condition for the rows that are changed or removed. */
  readonly where?: object;
}

export interface DatabaseHooks {
  /** Called once per commit, in order, before the caller's answer. */
  onCommit(writes: readonly Write[]): void;
}

/** Thrown to roll back a unit without a reason. */
class RolledBack extends Error {}

/** The database of one life, on a state that outlives it. */
export function simulateDatabase(
  simulator: Simulator,
  life: Life,
  inner: Database,
  { onCommit }: DatabaseHooks,
): Database {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const delay = (): number => delayOf(simulator, faults().delayMs.database);

  let openUnits = 0;
  life.onEnd(() => {
    if (openUnits > 0) sometimes('death inside a unit');
  });

  /** Runs a unit once; never resolves if the life ends within it. */
  function attempt<R>(unit: (database: Unit) => Promise<R>, isRolledBack: boolean): Promise<R> {
    const writes: Write[] = [];
    const hasSlowUnits = faults().hasSlowUnits;
    const pause = (): Promise<void> => life.call('unit step', () => Promise.resolve(), { requestMs: delay() });
    openUnits += 1;
    const committed = inner.transaction(async (database) => {
      writes.length = 0;
      const recorded = recordWrites(database, writes);
      const result = await unit(hasSlowUnits ? slowUnit(recorded, pause) : recorded);
      if (hasSlowUnits) await pause();
      if (life.isDead) await never;
      if (isRolledBack) throw new RolledBack('rolled back');
      return result;
    });
    return committed
      .then((result) => {
        onCommit(writes);
        return result;
      })
      .finally(() => {
        openUnits -= 1;
      });
  }

  async function run<R>(unit: (database: Unit) => Promise<R>): Promise<R> {
    if (random.fraction() < faults().commitRefused) {
      sometimes('commit refused');
      await attempt(unit, true).catch(ignoreRollback);
      throw new Error('The disk is full (a simulated fault).');
    }
    if (random.fraction() < faults().unitRepeated) {
      sometimes('unit repeated');
      await attempt(unit, true).catch(ignoreRollback);
    }
    return attempt(unit, false);
  }

  /** Makes a read an event. A death before it equals one after the last write; reads only add interleavings. */
  function read<R>(what: string, perform: () => Promise<R>): Promise<R> {
    if (life.isDead) return never;
    return faults().hasSlowReads ? life.call(what, perform, { requestMs: delay() }) : perform();
  }

  return {
    first: (table, where, by) => read(`find ${table}`, () => inner.first(table, where, by)),
    last: (table, where, by) => read(`find ${table}`, () => inner.last(table, where, by)),
    rows: (table, where, options) => read(`find ${table}`, () => inner.rows(table, where, options)),
    values: (table, column, where, options) => read(`find ${table}`, () => inner.values(table, column, where, options)),
    exact: (table, key, rows) => read(`find ${table}`, () => inner.exact(table, key, rows)),
    has: (table, where) => read(`count ${table}`, () => inner.has(table, where)),
    count: (table, where) => read(`count ${table}`, () => inner.count(table, where)),
    texts: (table, shape, key, rows) => read(`find ${table}`, () => inner.texts(table, shape, key, rows)),
    lists: {
      find: (table, query) => read(`list ${table}`, () => inner.lists.find(table, query)),
      count: (table, selection) => read(`count ${table}`, () => inner.lists.count(table, selection)),
    },
    transaction: (unit) => life.call('commit', () => run(unit), { requestMs: delay(), replyMs: delay() }),
    close: () => life.call('close database', () => inner.close()),
  };
}

const never = new Promise<never>(() => undefined);

function ignoreRollback(error: unknown): void {
  if (!(error instanceof RolledBack)) throw error;
}

function recordWrites(database: Unit, writes: Write[]): Unit {
  const note = (kind: Write['kind'], table: TableName, rows: readonly object[]): void => {
    writes.push({ kind, table, rows });
  };
  return {
    first: database.first,
    last: database.last,
    rows: database.rows,
    values: database.values,
    exact: database.exact,
    has: database.has,
    count: database.count,
    insert: (table, rows) => database.insert(table, rows).then(() => note('insert', table, rows)),
    put: (table, rows) => database.put(table, rows).then(() => note('put', table, rows)),
    update: async (table, where, changes) => {
      const number = await database.update(table, where, changes);
      writes.push({ kind: 'update', table, rows: [changes], where });
      return number;
    },
    updateEach: (table, key, rows) => database.updateEach(table, key, rows).then(() => note('update', table, rows)),
    remove(table, where) {
      writes.push({ kind: 'remove', table, rows: [], where });
      return database.remove(table, where);
    },
  };
}

function slowUnit(database: Unit, pause: () => Promise<void>): Unit {
  return {
    first: (table, where, by) => pause().then(() => database.first(table, where, by)),
    last: (table, where, by) => pause().then(() => database.last(table, where, by)),
    rows: (table, where, options) => pause().then(() => database.rows(table, where, options)),
    values: (table, column, where, options) => pause().then(() => database.values(table, column, where, options)),
    exact: (table, key, rows) => pause().then(() => database.exact(table, key, rows)),
    has: (table, where) => pause().then(() => database.has(table, where)),
    count: (table, where) => pause().then(() => database.count(table, where)),
    insert: async <T extends TableName>(table: T, rows: readonly NewRow<T>[]) => {
      await pause();
      await database.insert(table, rows);
    },
    put: async <T extends TableName>(table: T, rows: readonly NewRow<T>[]) => {
      await pause();
      await database.put(table, rows);
    },
    updateEach: async (table, key, rows) => {
      await pause();
      await database.updateEach(table, key, rows);
    },
    update: (table, where, changes) => pause().then(() => database.update(table, where, changes)),
    remove: (table, where) => pause().then(() => database.remove(table, where)),
  };
}

/** Whether a service answers at the moment. */
export interface Reachable {
  isAway(): boolean;
}

/** The chain as seen by one life. */
export function simulateChain(
  simulator: Simulator,
  life: Life,
  connect: () => Blockchain,
  { isAway }: Reachable,
): Blockchain {
  const { scheduler, faults, sometimes } = simulator;
  // Two connections: a sent request arrives even if its sender has died, while a dead node watches nothing.
  const inner = connect();
  const watching = connect();
  life.onEnd(() => void watching.close());
  const { random } = scheduler;
  const chance = (rate: number): boolean => rate > 0 && random.fraction() < rate;
  const unreachable = (): ChainError => new ChainError('unreachable', 'The chain does not answer (a simulated fault).');
  const journey = (isRemote: boolean): CallOptions => {
    const mean = faults().delayMs.chain;
    const legs = { requestMs: delayOf(simulator, mean), replyMs: delayOf(simulator, mean), isRemote };
    if (isAway() || chance(faults().chainRequestLost))
      return { ...legs, lost: { leg: 'request', error: unreachable() } };
    if (!chance(faults().chainReplyLost)) return legs;
    return { ...legs, lost: { leg: 'reply', error: unreachable() } };
  };

  async function handOver(page: LogPage, handler: Watching['handler']): Promise<PageAnswer> {
    const meanMs = chance(faults().pageLate) ? 20 * faults().delayMs.page + 1_000 : faults().delayMs.page;
    await life.call('page of logs', () => Promise.resolve(), { requestMs: delayOf(simulator, meanMs) });
    while (isAway()) await life.call('page waits', () => Promise.resolve(), { requestMs: 500 });
    const answer = await handler(page);
    if (answer === 'stale') sometimes('page read before a source was followed');
    if (answer === 'stale' || page.logs.length === 0 || !chance(faults().pageRepeated)) return answer;
    sometimes('page of logs repeated');
    await life.call('page of logs again', () => Promise.resolve(), { requestMs: delayOf(simulator, meanMs) });
    await handler(page);
    return answer;
  }

  return {
    keys: inner.keys,
    network: inner.network,
    addKey: (privateKey) => inner.addKey(privateKey),
    sign: (key, nonce, call) => life.call('sign', () => inner.sign(key, nonce, call)),
    submit: (raw) => {
      const how = journey(true);
      if (how.lost?.leg === 'reply') sometimes('reply lost after mining');
      return life.call('submit', () => inner.submit(raw), how);
    },
    count: (key, which) => life.call('count nonces', () => inner.count(key, which), journey(false)),
    balance: (key) => life.call('balance', () => inner.balance(key), journey(false)),
    readLogs: (source, from, to) => life.call('read history', () => inner.readLogs(source, from, to), journey(false)),
    blockHash: (block) => life.call('hash of a block', () => inner.blockHash(block), journey(false)),
    query: (query) => life.call('query', () => inner.query(query), journey(false)),
    estimate: (key, call) => life.call('estimate', () => inner.estimate(key, call), journey(false)),
    status: () => life.call('chain status', () => inner.status(), journey(false)),
    watch: (how) => watching.watch({ ...how, handler: (page) => (life.isDead ? never : handOver(page, how.handler)) }),
    close: () =>
      life.call('close chain', async () => {
        await Promise.all([inner.close(), watching.close()]);
      }),
  };
}

/** The shared store as seen by one life. */
export function simulateStore(
  simulator: Simulator,
  life: Life,
  inner: SharedStore,
  { isAway }: Reachable,
): SharedStore {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const chance = (rate: number): boolean => rate > 0 && random.fraction() < rate;
  const unreachable = (): StoreError => new StoreError('unreachable', 'The store does not answer (a simulated fault).');
  const legs = (meanMs: number) => ({
    requestMs: delayOf(simulator, meanMs),
    replyMs: delayOf(simulator, meanMs),
  });

  /** Returns the bytes that arrive. */
  function arriving(bytes: Uint8Array): Uint8Array {
    if (chance(faults().storeTruncated)) {
      sometimes('payload truncated');
      return bytes.slice(0, random.integer(bytes.length));
    }
    if (chance(faults().storeWrong)) {
      sometimes('payload wrong');
      const wrong = bytes.slice();
      const at = random.integer(wrong.length);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      return wrong;
    }
    return bytes;
  }

  const store: SharedStore = {
    put(bytes) {
      const how = { ...legs(faults().delayMs.store), isRemote: true };
      const isRequestLost = isAway() || chance(faults().storeRequestLost);
      const isReplyLost = chance(faults().storeReplyLost);
      const put = (): Promise<string> => inner.put(bytes);
      if (isRequestLost) return life.call('put', put, { ...how, lost: { leg: 'request', error: unreachable() } });
      if (isReplyLost) return life.call('put', put, { ...how, lost: { leg: 'reply', error: unreachable() } });
      return life.call('put', put, how);
    },
    get(reference, options) {
      const how = legs(chance(faults().storeSlow) ? 100 * faults().delayMs.store : faults().delayMs.store);
      const get = async (): Promise<Uint8Array> => {
        if (chance(faults().storeMissing)) {
          sometimes('payload missing at first');
          throw new StoreError('not_found', 'The store has no such content yet (a simulated fault).');
        }
        return arriving(await inner.get(reference, options));
      };
      if (isAway() || chance(faults().storeRequestLost)) {
        return life.call('get', get, { ...how, lost: { leg: 'request', error: unreachable() } });
      }
      return life.call('get', get, how);
    },
    async putStream(bytes) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      return store.put(Buffer.concat(chunks));
    },
    async *getStream(reference, { start, ...options }) {
      yield (await store.get(reference, options)).slice(start);
    },
  };
  return store;
}

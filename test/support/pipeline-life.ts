import type { Blockchain } from '../../src/ports/blockchain.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Database } from '../../src/ports/database.js';
import type { DataExchange } from '../../src/ports/data-exchange.js';
import type { Failpoint } from '../../src/ports/failpoint.js';
import type { Files } from '../../src/ports/files.js';
import type { SharedStore } from '../../src/ports/shared-store.js';
import type { Webhook } from '../../src/ports/webhook.js';

/** One run of a pipeline. After it is killed no call returns and nothing has an effect, as with SIGKILL. */
export interface Life {
  isDead(): boolean;
  kill(): void;
  dieAt(failpoint: string, hit: number): void;
  readonly failpoint: Failpoint;
  database(database: Database): Database;
  blockchain(blockchain: Blockchain): Blockchain;
  sharedStore(sharedStore: SharedStore): SharedStore;
  dataExchange(dataExchange: DataExchange): DataExchange;
  files(files: Files): Files;
  webhook(webhook: Webhook): Webhook;
  clock(clock: Clock): Clock;
}

export function createLife(): Life {
  const hitsLeft = new Map<string, number>();
  const ends: (() => void)[] = [];
  let isDead = false;

  function kill(): void {
    isDead = true;
    for (const end of ends.splice(0)) end();
  }

  /** Runs a call of this life: after its death calls never start, and earlier ones never return. */
  function mortal<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (isDead) return;
      work().then(
        (value) => {
          if (!isDead) resolve(value);
        },
        (error: unknown) => {
          if (!isDead) reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  async function* mortalStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const rest = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await mortal(() => rest.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  return {
    isDead: () => isDead,
    kill,
    dieAt: (failpoint, hit) => void hitsLeft.set(failpoint, hit),
    failpoint: {
      async reach(name) {
        const left = (hitsLeft.get(name) ?? 0) - 1;
        hitsLeft.set(name, left);
        if (left !== 0) return;
        kill();
        // Inside a unit this rolls back its writes, as a crash before the commit does.
        throw new Error(`killed at ${name}`);
      },
    },
    database: (database) => ({
      first: (table, where, by) => mortal(() => database.first(table, where, by)),
      last: (table, where, by) => mortal(() => database.last(table, where, by)),
      rows: (table, where, options) => mortal(() => database.rows(table, where, options)),
      values: (table, column, where, options) => mortal(() => database.values(table, column, where, options)),
      exact: (table, key, rows) => mortal(() => database.exact(table, key, rows)),
      has: (table, where) => mortal(() => database.has(table, where)),
      count: (table, where) => mortal(() => database.count(table, where)),
      texts: (table, shape, key, rows) => mortal(() => database.texts(table, shape, key, rows)),
      lists: {
        find: (table, query) => mortal(() => database.lists.find(table, query)),
        count: (table, selection) => mortal(() => database.lists.count(table, selection)),
      },
      transaction: (unit) =>
        mortal(() =>
          database.transaction(async (rows) => {
            const result = await unit(rows);
            if (isDead) throw new Error('killed before the commit');
            return result;
          }),
        ),
      close: () => mortal(() => database.close()),
    }),
    blockchain(blockchain) {
      ends.push(() => void blockchain.close());
      return {
        keys: blockchain.keys,
        network: blockchain.network,
        addKey: (privateKey) => blockchain.addKey(privateKey),
        sign: (key, nonce, call) => mortal(() => blockchain.sign(key, nonce, call)),
        submit: (raw) => mortal(() => blockchain.submit(raw)),
        count: (key, which) => mortal(() => blockchain.count(key, which)),
        balance: (key) => mortal(() => blockchain.balance(key)),
        watch: (watching) =>
          mortal(() => blockchain.watch({ ...watching, handler: (page) => mortal(() => watching.handler(page)) })),
        readLogs: (source, from, to) => mortal(() => blockchain.readLogs(source, from, to)),
        blockHash: (block) => mortal(() => blockchain.blockHash(block)),
        query: (query) => mortal(() => blockchain.query(query)),
        estimate: (key, call) => mortal(() => blockchain.estimate(key, call)),
        status: () => mortal(() => blockchain.status()),
        close: () => mortal(() => blockchain.close()),
      };
    },
    sharedStore: (sharedStore) => ({
      put: (bytes) => mortal(() => sharedStore.put(bytes)),
      get: (reference, options) => mortal(() => sharedStore.get(reference, options)),
      putStream: (bytes, signal) => mortal(() => sharedStore.putStream(bytes, signal)),
      getStream: (reference, options) => mortalStream(sharedStore.getStream(reference, options)),
    }),
    files: (files) => ({
      read: (name, range) => mortalStream(files.read(name, range)),
      size: (name) => mortal(() => files.size(name)),
      write: (name, bytes) => mortal(() => files.write(name, bytes)),
      append: (name, bytes) => mortal(() => files.append(name, bytes)),
      truncate: (name, sizeBytes) => mortal(() => files.truncate(name, sizeBytes)),
      sync: (name) => mortal(() => files.sync(name)),
      syncContent: (name) => mortal(() => files.syncContent(name)),
      rename: (from, to) => mortal(() => files.rename(from, to)),
      remove: (name) => mortal(() => files.remove(name)),
      list: (directory) => mortal(() => files.list(directory)),
      freeBytes: () => mortal(() => files.freeBytes()),
      close: () => mortal(() => files.close()),
    }),
    dataExchange(dataExchange) {
      ends.push(() => void dataExchange.close());
      return {
        send: (peer, envelope, signal) => mortal(() => dataExchange.send(peer, envelope, signal)),
        sendBlob: (peer, offer, read, signal) => mortal(() => dataExchange.sendBlob(peer, offer, read, signal)),
        request: (peer, hash, signal) => mortal(() => dataExchange.request(peer, hash, signal)),
        listen: (receiver) =>
          mortal(() =>
            dataExchange.listen({
              receiveEnvelope: (sender, envelope) => mortal(() => receiver.receiveEnvelope(sender, envelope)),
              offerBlob: (sender, offer) => mortal(() => receiver.offerBlob(sender, offer)),
              receiveBlob: (sender, offer, start, bytes) =>
                mortal(() => receiver.receiveBlob(sender, offer, start, bytes)),
              receiveRequest: (sender, hash) => mortal(() => receiver.receiveRequest(sender, hash)),
            }),
          ),
        admit: (publicKeyHashes) => {
          if (!isDead) dataExchange.admit(publicKeyHashes);
        },
        close: () => mortal(() => dataExchange.close()),
      };
    },
    webhook: (webhook) => ({
      check: (url, signal) => mortal(() => webhook.check(url, signal)),
      call: (request) => mortal(() => webhook.call(request)),
    }),
    clock: (clock) => ({
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      sleep: (ms, signal) => mortal(() => clock.sleep(ms, signal)),
    }),
  };
}

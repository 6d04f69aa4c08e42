import { basename, dirname, join } from 'node:path';
import type { LocatedStack } from '../places/locate.js';
import { readBalances, readMessages, type SavedBalance, type SavedMessage } from './database.js';
import { type Manifest, readManifest, requireKnownForm } from './manifest.js';
import { requireSnapshot } from './places.js';

/** A message with different states in two snapshots. */
export interface ChangedMessage {
  readonly id: string;
  readonly before: string;
  readonly after: string;
}

/** A balance that differs; `0` if a snapshot has none. */
export interface ChangedBalance {
  readonly pool: string;
  readonly tokenIndex: string;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** The differences in the data of a party. */
export interface PartyDifference {
  readonly party: string;
  /** Messages that only the second snapshot has, in the order of their ids. */
  readonly added: readonly SavedMessage[];
  readonly removed: readonly SavedMessage[];
  /** Messages whose state differs. */
  readonly changed: readonly ChangedMessage[];
  readonly balances: readonly ChangedBalance[];
}

export interface SnapshotDifference {
  readonly before: Manifest;
  readonly after: Manifest;
  readonly parties: readonly PartyDifference[];
}

/** Compares two snapshots. @throws StackError SNAPSHOT_NOT_FOUND, SNAPSHOT_INVALID */
export async function compareSnapshots(
  { layout }: LocatedStack,
  first: string,
  second: string,
): Promise<SnapshotDifference> {
  const [from, to] = [await requireSnapshot(layout, first), await requireSnapshot(layout, second)];
  const [before, after] = [await readManifest(from, first), await readManifest(to, second)];
  requireKnownForm(before, first);
  requireKnownForm(after, second);
  const names = [...new Set([...databasesOf(before).keys(), ...databasesOf(after).keys()])].sort();
  const parties: PartyDifference[] = [];
  for (const party of names) {
    const [old, next] = [databasesOf(before).get(party), databasesOf(after).get(party)];
    const messages = [await read(from, old, readMessages), await read(to, next, readMessages)] as const;
    const balances = [await read(from, old, readBalances), await read(to, next, readBalances)] as const;
    parties.push({ party, ...compareMessages(...messages), balances: compareBalances(...balances) });
  }
  return { before, after, parties };
}

/** Party → the path of its database. */
function databasesOf({ files }: Manifest): ReadonlyMap<string, string> {
  const paths = Object.keys(files).filter((path) => basename(path) === 'db.sqlite3');
  return new Map(paths.map((path) => [basename(dirname(path)), path]));
}

async function read<Row>(
  root: string,
  path: string | undefined,
  reader: (file: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return path === undefined ? [] : reader(join(root, path));
}

function compareMessages(before: readonly SavedMessage[], after: readonly SavedMessage[]) {
  const [old, next] = [byKey(before, messageKey), byKey(after, messageKey)];
  return {
    added: after.filter((message) => !old.has(messageKey(message))),
    removed: before.filter((message) => !next.has(messageKey(message))),
    changed: after.flatMap((message) => {
      const was = old.get(messageKey(message));
      if (was === undefined || was.state === message.state) return [];
      return [{ id: message.id, before: was.state, after: message.state }];
    }),
  };
}

/** Includes the hash, since anybody may use an id again. */
function messageKey({ namespace, id, hash }: SavedMessage): string {
  return `${namespace} ${id} ${hash}`;
}

function compareBalances(before: readonly SavedBalance[], after: readonly SavedBalance[]): ChangedBalance[] {
  const [old, next] = [byKey(before, balanceKey), byKey(after, balanceKey)];
  return [...new Map([...old, ...next])].flatMap(([key, { pool, tokenIndex, key: owner }]) => {
    const [was, is] = [old.get(key)?.balance ?? '0', next.get(key)?.balance ?? '0'];
    return was === is ? [] : [{ pool, tokenIndex, key: owner, before: was, after: is }];
  });
}

function balanceKey({ namespace, pool, tokenIndex, key }: SavedBalance): string {
  return JSON.stringify([namespace, pool, tokenIndex, key]);
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

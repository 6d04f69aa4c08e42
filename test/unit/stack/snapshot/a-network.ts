import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite from 'sqlite3';
import { createKeys } from '../../../../src/stack/keys/keys.js';
import { deriveAccounts } from '../../../../src/stack/keys/accounts.js';
import { createStack } from '../../../../src/stack/create.js';
import { loadStack, type Stack } from '../../../../src/stack/places/locate.js';
import { aPlace } from '../fixtures/place.js';

export const blockHash = `0x${'b'.repeat(64)}`;

/** A stack with the files of a network that was started and stopped. No process has run. */
export async function aNetwork(name = 'dev', place = aPlace()): Promise<Stack> {
  await createStack(place, { name, template: 'minimal', workingDirectory: '/' });
  const stack = await loadStack(place, name);
  const { layout, settings } = stack;
  await createKeys(layout, settings);
  await deriveAccounts(layout, settings);
  const address = `0x${'a'.repeat(40)}`;
  write(layout.contracts, { chainId: 31_337, genesisHash: `0x${'0'.repeat(64)}`, network: { address, block: 1 } });
  write(layout.genesis, { chainId: 31_337, genesisTime: settings.chain.genesisTime, accounts: [] });
  write(layout.applied, { version: 1, settings: {} });
  write(join(layout.data, 'store', 'content', 'Qm1'), 'content');
  writeJournal(stack, 7);
  for (const { name: party } of settings.parties) await writeDatabase(stack, party, 'confirmed', '10');
  return stack;
}

/** Writes a journal of the chain that ends with this block. */
export function writeJournal({ layout }: Stack, block: number): void {
  const text = JSON.stringify({ turn: [{ do: 'mine', number: block, time: 1, hash: blockHash }] });
  const checksum = createHash('sha256').update(text).digest('hex').slice(0, 16);
  write(join(layout.chainData, 'journal'), `${checksum} ${text}\n`);
}

/** Writes a database of a party with one message and one balance, with a write-ahead log as after SIGKILL. */
export async function writeDatabase({ layout }: Stack, party: string, state: string, balance: string): Promise<void> {
  const file = join(layout.data, 'nodes', party, 'db.sqlite3');
  mkdirSync(dirname(file), { recursive: true });
  const database = new sqlite.Database(file);
  await new Promise<void>((resolve, reject) => {
    database.exec(
      `pragma journal_mode = wal;
       create table if not exists "messages" ("namespace", "id", "type", "state", "hash");
       create table if not exists "pools" ("id", "name");
       create table if not exists "balances" ("namespace", "pool", "tokenIndex", "key", "balance");
       delete from "messages"; delete from "balances"; delete from "pools";
       insert into "messages" values ('default', 'm-1', 'broadcast', '${state}', 'h1');
       insert into "pools" values ('p-1', 'coins');
       insert into "balances" values ('default', 'p-1', '', '0xaa', '${balance}');`,
      (error) => (error === null ? resolve() : reject(error)),
    );
  });
  await new Promise<void>((resolve) => database.close(() => resolve()));
}

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
}

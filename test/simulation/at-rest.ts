import type { MemoryFiles } from '../../src/adapters/files/memory.js';
import { type MessageFacts, readMessage, sha256 } from '../../src/bench/check/facts/facts.js';
import type { SendRecord } from '../../src/bench/check/recording.js';
import { messageRecord } from '../../src/pipeline/records/records.js';
import { referenceKey } from '../../src/pipeline/state/messages/exact.js';
import type { Disk } from './storage.js';
import type { DataRow, TableName, Tables } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import { write } from '../../src/wire/json/json.js';
import { Message } from '../../src/wire/messages/message.js';
import { withoutEchoes } from '../support/echoes.js';
import { contextOf, type Expected, type Oracle, organizationOf } from './oracle.js';
import { InvariantViolation, isDecision } from './shadow.js';

const everything = 100_000;

/** Operations whose results are checked with the records that they are for. */
const checkedElsewhere = new Set([
  'token_transfer',
  'token_approval',
  'blockchain_register_identity',
  'blockchain_invoke',
]);

const oldestFirst = [{ field: 'sequence', descending: false }];

function rowsOf<T extends TableName>(disk: Disk, table: T): Promise<readonly Tables[T][]> {
  return disk.find(table, { namespace: every, where: [], sort: oldestFirst, limit: everything });
}

/**
 * Checks the rules for a network that has healed and is at rest: I1, I2, I7, I12 and I14 for one party. Everything
 * behind a permanently withheld payload must still wait. Items that the party has deleted may be missing.
 */
export async function checkAtRest(
  party: string,
  disk: Disk,
  files: MemoryFiles,
  oracle: Oracle,
  sends: readonly SendRecord[],
  deleted: readonly DataRow[],
): Promise<void> {
  const messages = await rowsOf(disk, 'messages');
  const present = await rowsOf(disk, 'data');
  const data = new Map([...deleted, ...present].map((row) => [referenceKey(row), row]));
  const events = (await rowsOf(disk, 'events')).filter(isDecision);
  const records = new Map<string, MessageFacts>();
  for (const row of messages) {
    // A message cancelled with its operation or batch was never pinned, and no other party knows it.
    if (row.state === 'cancelled') continue;
    const facts = readMessage(write(Message, messageRecord(row, data)));
    records.set(`${facts.id}/${facts.hash}`, facts);
  }
  checkExpected(party, records, oracle);
  checkSends(party, records, sends);
  const eventKeys = withoutEchoes(events).map(({ reference, referenceHash }) => `${reference}/${referenceHash}`);
  if (new Set(eventKeys).size < eventKeys.length)
    throw new InvariantViolation('I2', `a message has two events at ${party}`);
  for (const event of events) {
    const record = records.get(`${event.reference}/${event.referenceHash}`);
    // One unit writes the event and the decision, so their times are equal.
    if (`message_${record?.state ?? ''}` !== event.type || (record?.confirmed ?? record?.rejected) !== event.created) {
      throw new InvariantViolation('I14', `event ${event.id} does not fit message ${event.reference} at ${party}`);
    }
  }
  for (const [key, { state }] of records) {
    if (state !== 'ready' && !eventKeys.includes(key)) {
      throw new InvariantViolation('I2', `message ${key} is ${state} at ${party} and has no event`);
    }
  }
  const lost = new Set(deleted.map(({ blobHash }) => blobHash));
  for (const { blobHash } of present) lost.delete(blobHash);
  await checkFiles(party, files, records, lost);
  await checkNothingLeft(party, disk, oracle);
}

function checkExpected(party: string, records: ReadonlyMap<string, MessageFacts>, oracle: Oracle): void {
  const all = [...oracle.messages().values(), ...oracle.unpinned().values()];
  for (const expected of all) {
    const record = records.get(expected.key);
    const state = record?.state;
    if (!isFor(party, expected)) {
      if (record === undefined) continue;
      throw new InvariantViolation('I8', `message ${expected.key} is at ${party}, who is not a member`);
    }
    if (record !== undefined && record.state !== 'ready' && record.batch !== expected.batch) {
      const batches = `${record.batch ?? 'none'} at ${party}, not ${expected.batch ?? 'none'}`;
      throw new InvariantViolation('I6', `message ${expected.key} is of batch ${batches}`);
    }
    if (!expected.isReachable) {
      if (state !== undefined && state !== 'ready') {
        throw new InvariantViolation('I13', `message ${expected.key} is ${state} at ${party} and must wait`);
      }
    } else if (state !== expected.verdict) {
      throw new InvariantViolation('I1', `message ${expected.key} is ${state ?? 'nowhere'} at ${party}`);
    }
    const [damage] = record?.damage ?? [];
    if (damage !== undefined) throw new InvariantViolation('I7', `message ${expected.key} at ${party}: ${damage}`);
  }
  for (const [key, record] of records) {
    if (record.state === 'rejected' && oracle.isVoid(key)) continue;
    if (record.state !== 'ready' && !oracle.messages().has(key) && !oracle.unpinned().has(key)) {
      throw new InvariantViolation('I4', `message ${key} is ${record.state} at ${party} and was never pinned`);
    }
  }
}

function isFor(party: string, { members }: Expected): boolean {
  return members?.has(party) ?? true;
}

function checkSends(party: string, records: ReadonlyMap<string, MessageFacts>, sends: readonly SendRecord[]): void {
  const counts = new Map<string, number>();
  const all = [...records.values()];
  for (const { author, valueHashes } of all) {
    // The first value of a message is unique; the data it refers to besides may be shared or copied.
    const first = `${organizationOf(author)} ${valueHashes[0] ?? ''}`;
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  for (const send of sends) {
    const first = `${send.party} ${send.valueHashes[0] ?? ''}`;
    if ((counts.get(first) ?? 0) > 1) throw new InvariantViolation('I2', `one send is two messages at ${party}`);
    if (send.id === null || !(send.members?.includes(party) ?? true)) continue;
    const values = send.valueHashes.join();
    const wanted = all.find(({ id, valueHashes }) => id === send.id && valueHashes.join() === values);
    if (wanted === undefined)
      throw new InvariantViolation('I1', `message ${send.id} of ${send.party} is not at ${party}`);
    if (wanted.topics.join() !== send.topics.join() || wanted.tag !== send.tag) {
      throw new InvariantViolation('I7', `message ${send.id} at ${party} is not what was sent`);
    }
  }
}

/** I7, I12: a party that has decided a message has its blobs but those it deleted, and no partial files are left. */
async function checkFiles(
  party: string,
  files: MemoryFiles,
  records: ReadonlyMap<string, MessageFacts>,
  lost: ReadonlySet<string | null>,
): Promise<void> {
  for (const { id, state, blobs } of records.values()) {
    if (state === 'ready') continue;
    for (const { hash } of blobs) {
      if (lost.has(hash)) continue;
      if ((await hashOfFile(files, `blobs/${hash}`)) === hash) continue;
      throw new InvariantViolation('I7', `message ${id} is ${state} at ${party} without its file ${hash}`);
    }
  }
  const [left] = await files.list('incoming');
  if (left !== undefined) throw new InvariantViolation('I12', `the file incoming/${left} is left at ${party}`);
}

async function hashOfFile(files: MemoryFiles, name: string): Promise<string | undefined> {
  if ((await files.size(name)) === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.read(name)) chunks.push(chunk);
  return sha256(Buffer.concat(chunks));
}

/** I12: no operation, wait or due context is left, except behind a withheld payload. */
async function checkNothingLeft(party: string, disk: Disk, oracle: Oracle): Promise<void> {
  const blocked = oracle.blockedContexts();
  for (const { context, on } of await rowsOf(disk, 'waits')) {
    if (!blocked.has(context)) throw new InvariantViolation('I12', `context ${context} waits on ${on} at ${party}`);
  }
  for (const { context } of await rowsOf(disk, 'due')) {
    throw new InvariantViolation('I12', `context ${context} is due for ever at ${party}`);
  }
  for (const pin of await rowsOf(disk, 'pins')) {
    if (!pin.spent && !pin.masked && !blocked.has(pin.context)) {
      throw new InvariantViolation('I12', `a pin of batch ${pin.batch} is unspent at ${party}`);
    }
  }
  for (const message of await rowsOf(disk, 'messages')) {
    const isBlocked = message.topics.some((topic) => blocked.has(contextOf(topic, message.group ?? undefined)));
    if (message.state === 'ready' && !isBlocked) {
      throw new InvariantViolation('I12', `message ${message.id} is ready for ever at ${party}`);
    }
  }
  const withheld = new Set(
    (await rowsOf(disk, 'batches')).filter(({ state }) => state === 'wanted').map(({ id, hash }) => `${id}/${hash}`),
  );
  const cancelled = new Set(
    (await rowsOf(disk, 'batches')).filter(({ state }) => state === 'cancelled').map(({ id, hash }) => `${id}/${hash}`),
  );
  const operations = await rowsOf(disk, 'operations');
  const pinned = new Set(
    operations
      .filter(({ type, status }) => type === 'blockchain_pin_batch' && status === 'Succeeded')
      .map(({ batch, batchHash }) => `${batch}/${batchHash}`),
  );
  for (const operation of operations) {
    const name = `${operation.batch}/${operation.batchHash}`;
    // A pin that was retried has ended with its retry, that of a cancelled batch has failed, and so may a retry after
    // whose request the chain has mined the first pin again, with effect.
    const isGivenUp = operation.retry !== null || cancelled.has(name) || pinned.has(name);
    if (operation.status === 'Failed' && operation.type === 'blockchain_pin_batch' && isGivenUp) continue;
    const isWithheld = withheld.has(name);
    if (checkedElsewhere.has(operation.type)) continue;
    if (operation.status !== 'Succeeded' && !(isWithheld && operation.type === 'sharedstorage_download_batch')) {
      const sentence = `operation ${operation.type} of batch ${operation.batch} is ${operation.status} at ${party}`;
      throw new InvariantViolation('I12', `${sentence}: ${operation.error ?? 'no error'}`);
    }
  }
}

import type { Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow, PinRow } from '../../../ports/tables/tables.js';
import { above, every } from '../../../ports/tables/where.js';
import {
  batchNameKey,
  batchNameOf,
  findBatchesOfPins,
  exactMessages,
  referenceKey,
} from '../../state/messages/exact.js';
import { keepPayload } from './candidates.js';
import { undoDefinitions } from './definitions.js';
import { undoPools } from '../tokens/pools.js';
import type { Undoing } from '../undoing.js';
import { dropForeignTransactions } from '../transactions.js';
import { sealAgain } from './sealed.js';
import { undoTurns } from './turns.js';

/** Pins in one unit: a few full batches. */
const maxPins = 4_000;

/**
 * Removes the pins of removed blocks, newest first, with everything derived from them: verdicts, definitions, and the
 * batches of others. A batch sealed here waits for its pin again, with its messages, nonces and payload.
 */
export async function undoBatches(undoing: Undoing): Promise<void> {
  const { database, after, afterUnit } = undoing;
  for (;;) {
    const pins = await database.rows('pins', { block: above(after) }, { limit: maxPins, newestFirst: true });
    if (pins.length === 0) return;
    const whole = pins.length < maxPins ? pins : withoutLast(pins);
    await database.transaction((unit) => undoPins(unit, whole, undoing));
    await afterUnit();
  }
}

/** Leaves out the last batch of a full page, since it may have more pins; no batch fills a page. */
function withoutLast(pins: readonly PinRow[]): readonly PinRow[] {
  const [last = ''] = pins.slice(-1).map(keyOf);
  return pins.filter((pin) => keyOf(pin) !== last);
}

async function undoPins(unit: Unit, pins: readonly PinRow[], undoing: Undoing): Promise<void> {
  const { blockchain } = undoing;
  const batches = await findBatchesOfPins(unit, pins);
  const messages = await messagesOf(unit, batches);
  const own = { keys: blockchain.keys };
  await undoTurns(unit, pins);
  const sequences = pins.map(({ sequence }) => sequence);
  await unit.remove('pins', { sequence: sequences });
  await undoPools(unit, messages, own);
  await undoDefinitions(unit, messages, { own, pins: new Set(sequences) });
  await takeBackVerdicts(unit, messages);
  const sealed = batches.filter((batch) => isSealedHere(batch, own));
  await sealAgain(unit, sealed, messagesIn(sealed, messages));
  await forget(
    unit,
    batches.filter((batch) => !sealed.includes(batch)),
    messages,
    undoing,
  );
}

/** Ids are public: a message with another hash keeps its event. */
async function takeBackVerdicts(unit: Unit, messages: readonly MessageRow[]): Promise<void> {
  if (messages.length === 0) return;
  const ids = messages.map(({ id }) => id);
  const hashes = messages.map(({ hash }) => hash);
  await unit.remove('events', {
    namespace: every,
    type: ['message_confirmed', 'message_rejected'],
    reference: ids,
    referenceHash: hashes,
  });
}

function keyOf(pin: PinRow): string {
  return batchNameKey(batchNameOf(pin));
}

/** Returns the messages that arrived with these batches or that these have decided. */
async function messagesOf(unit: Unit, batches: readonly BatchRow[]): Promise<readonly MessageRow[]> {
  const entries = batches.flatMap(({ manifest }) => manifest ?? []);
  const found = await exactMessages(unit, entries);
  return messagesIn(batches, [...found.values()]);
}

/**
 * Anyone may pin the id and hash of another's batch, so only messages with the key that signed the pin are the batch's
 * own.
 */
function messagesIn(batches: readonly BatchRow[], messages: readonly MessageRow[]): readonly MessageRow[] {
  const names = new Set(batches.map(({ id, hash, signer }) => `${id}/${hash}/${signer}`));
  return messages.filter(({ batch, batchHash, key }) => names.has(`${batch}/${batchHash}/${key}`));
}

/** A batch of others has its items described in its manifest, or has no manifest. */
function isSealedHere({ signer, manifest }: BatchRow, own: { readonly keys: readonly string[] }): boolean {
  return own.keys.includes(signer) && manifest !== null && manifest.every(({ items }) => items === undefined);
}

const downloads = ['sharedstorage_download_batch', 'sharedstorage_download_blob'] as const;

/** Forgets batches of others; what a private one has brought is kept for its pin, which may come again. */
async function forget(
  unit: Unit,
  batches: readonly BatchRow[],
  messages: readonly MessageRow[],
  undoing: Undoing,
): Promise<void> {
  if (batches.length === 0) return;
  for (const batch of batches) await keepPayload(unit, batch, undoing);
  const sequences = batches.map(({ sequence }) => sequence);
  await unit.remove('batches', { sequence: sequences });
  // Anyone may pin the id of another's batch; the downloads of that batch continue.
  for (const { id: batch, hash: batchHash, signer } of batches) {
    await unit.remove('operations', { namespace: every, batch, batchHash, signer, type: [...downloads] });
  }
  await dropForeignTransactions(
    unit,
    batches.map(({ txid }) => txid),
  );
  const foreign = messagesIn(batches, messages);
  const needed = await neededBy(unit, batches);
  const gone = foreign.filter((message) => !needed.has(referenceKey(message))).map(({ sequence }) => sequence);
  if (gone.length > 0) await unit.remove('messages', { sequence: gone });
}

/**
 * Returns the messages that undecided batches of the same signers need: anyone may pin a message twice, and a held
 * batch must have its messages.
 */
async function neededBy(unit: Unit, batches: readonly BatchRow[]): Promise<ReadonlySet<string>> {
  const signers = [...new Set(batches.map(({ signer }) => signer))];
  const pins = await unit.rows('pins', { signer: signers, spent: false }, { limit: maxUnspent });
  const held = await findBatchesOfPins(unit, pins);
  return new Set(held.flatMap(({ manifest }) => (manifest ?? []).map(referenceKey)));
}

/** More than are undecided at the same time. */
const maxUnspent = 1_000_000;

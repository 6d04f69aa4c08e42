import { decide, noFacts } from '../../domain/messages/verdict.js';
import type { Unit } from '../../ports/database.js';
import { exactMessages } from '../state/messages/exact.js';
import { readUnpinnedKey, unpinnedKey } from '../state/messages/unpinned-key.js';
import { findMissingBlobs } from './contents.js';
import type { FactFinder } from './facts.js';
import type { DecidedMessage } from './record.js';

/**
 * Decides unpinned messages. They have no position in any order: each needs only its own items, blobs and datatypes
 * (docs/protocol.md §11.5).
 */
export async function decideUnpinned(
  unit: Unit,
  keys: readonly string[],
  facts: FactFinder,
): Promise<{
  readonly decided: readonly DecidedMessage[];
  readonly waits: ReadonlyMap<string, string>;
  readonly looked: readonly string[];
}> {
  const references = keys.map(readUnpinnedKey);
  const messages = await exactMessages(unit, references);
  const missing = await findMissingBlobs(unit, [...messages.values()]);
  const decided: DecidedMessage[] = [];
  const waits = new Map<string, string>();
  for (const message of messages.values()) {
    if (message.state !== 'ready') continue;
    const blob = missing.get(message);
    const answer = message.hasDatatypes
      ? await facts.find(message, undefined)
      : ({ kind: 'facts', facts: noFacts } as const);
    if (blob !== undefined) waits.set(unpinnedKey(message), `blob:${blob}`);
    else if (answer.kind === 'waits') waits.set(unpinnedKey(message), answer.on);
    else decided.push({ message, pins: [], verdict: decide(message, answer.facts) });
  }
  return { decided, waits, looked: keys };
}

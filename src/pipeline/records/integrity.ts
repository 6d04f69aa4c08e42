import { hashOfHeader, hashOfItem, hashOfReferences, sha256 } from '../../domain/hash.js';
import type { Log } from '../../ports/log.js';
import type { DataRow, MessageRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { JsonText } from '../../wire/scalar.js';
import { blobOf } from '../state/data/data-row.js';
import { headerOf } from './records.js';

/** Checks stored records against their hashes as they are served, and counts the damaged ones. */
export interface Integrity {
  /** @throws ServiceError damaged */
  requireMessage(row: MessageRow): void;
  /** @throws ServiceError damaged */
  requireItem(row: DataRow): void;
  isItemIntact(row: DataRow): boolean;
  /** Checks a message in the form of `embeddedMessage`; returns the error, or undefined if intact. */
  damageOfText(text: JsonText, reference: Reference): ServiceError | undefined;
  count(): number;
}

interface Reference {
  readonly id: string;
  readonly hash: string;
}

const remedy = 'It is not served. Put a sound copy of the data directory in its place, or read it at another member.';
/** Further records are neither logged nor counted. */
const maxKnown = 10_000;

export function createIntegrity({ log }: { readonly log: Log }): Integrity {
  const known = new Set<string>();

  function note(what: string, { id, hash }: Reference): ServiceError {
    const key = `${what} ${id} ${hash}`;
    if (!known.has(key) && known.size < maxKnown) {
      known.add(key);
      log.error('A stored record does not match its hash', { what, id, hash });
    }
    return new ServiceError('damaged', {
      what: `The ${what} ${id}`,
      problem: `it does not fit its hash ${hash}`,
      remedy,
    });
  }

  return {
    requireMessage(row) {
      if (!isMessageIntact(row)) throw note('message', row);
    },
    requireItem(row) {
      if (!isItemIntact(row)) throw note('data item', row);
    },
    isItemIntact(row) {
      if (isItemIntact(row)) return true;
      note('data item', row);
      return false;
    },
    damageOfText(text, reference) {
      return isTextIntact(text, reference.hash) ? undefined : note('message', reference);
    },
    count: () => known.size,
  };
}

function isMessageIntact(row: MessageRow): boolean {
  const header = headerOf(row);
  return hashOfHeader(header) === row.hash && hashOfReferences(row.data) === row.datahash;
}

function isItemIntact(row: DataRow): boolean {
  return hashOfItem({ value: row.value, blob: blobOf(row) }) === row.hash;
}

const head = '{"header":';
const topicsName = '"topics":';
const topicName = ',"topic":';
const tail = ',"localNamespace":';

/**
 * Whether an embedded message has its hash. The hashed text is contained in it, except that `topic` repeats `topics`;
 * cutting that out costs a tenth of parsing.
 */
function isTextIntact(text: JsonText, hash: string): boolean {
  const topicsAt = text.indexOf(topicsName) + topicsName.length;
  const topicAt = text.indexOf(topicName, topicsAt);
  const topics = text.slice(topicsAt, topicAt);
  const restAt = topicAt + topicName.length + topics.length;
  const isRepeated = text.startsWith(topics, topicAt + topicName.length);
  return (
    isRepeated && sha256(text.slice(head.length, topicAt) + text.slice(restAt, text.indexOf(tail, restAt))) === hash
  );
}

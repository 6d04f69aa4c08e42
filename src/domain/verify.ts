import { BatchPayload, payloadVersion } from '../wire/batch.js';
import { check } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import { read } from '../wire/json-reader.js';
import { hashOfItem } from './hash.js';
import { networkLimits } from './limits.js';
import { faultOfMessage, sizeOfMessage } from './message.js';
import { contextsOf } from './pin.js';

/** What the pin and the registry say about a batch, against which its payload is judged. */
export interface PinnedFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly signer: string;
  /** DID of the owner of the signer's key at the pin. */
  readonly identity: string;
  /** Identity id of that member's node. */
  readonly node: string;
  readonly contexts: readonly string[];
}

export type BatchVerdict =
  | { readonly status: 'valid'; readonly payload: BatchPayload }
  | { readonly status: 'void'; readonly reason: string }
  /** A version that this program does not know: it is not judged, it waits (S §8.3, 5). */
  | { readonly status: 'unknown_version'; readonly version: number };

/**
 * Judges a payload that has the pinned hash (S §8.5). The verdict follows from payload, pin and registry alone, so all
 * holders agree. It never throws: a payload is remote input.
 */
export function verifyBatch(text: string, facts: PinnedFacts): BatchVerdict {
  const parsed = parsePayload(text);
  if (parsed.status !== 'valid') return parsed;
  const { payload } = parsed;
  const reason =
    faultOfEnvelope(payload, facts) ??
    faultOfData(payload) ??
    faultOfMessages(payload) ??
    (sameList(contextsOf(payload.messages), facts.contexts) ? undefined : 'the contexts are not those of the messages');
  return reason === undefined ? parsed : { status: 'void', reason };
}

function parsePayload(text: string): BatchVerdict {
  const fault = (reason: string) => ({ status: 'void', reason }) as const;
  if (Buffer.byteLength(text) > networkLimits.maxPayloadBytes) return fault('the payload is too large');
  try {
    const { value, unknown } = read(text, BatchPayload);
    const version = versionOf(value);
    // A later version may have other fields: its version is all that may be read of it.
    if (version !== undefined && version !== payloadVersion) return { status: 'unknown_version', version };
    const [stranger] = unknown;
    if (stranger !== undefined) return fault(`unknown field ${stranger}`);
    if (!check(BatchPayload, value)) return fault('a field is missing or of the wrong type');
    return { status: 'valid', payload: value };
  } catch (error) {
    if (error instanceof ServiceError) return fault(error.text);
    throw error;
  }
}

function versionOf(value: unknown): number | undefined {
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  return Number.isInteger(version) ? Number(version) : undefined;
}

function faultOfEnvelope(payload: BatchPayload, facts: PinnedFacts): string | undefined {
  if (payload.id !== facts.id) return 'the batch id is not the pinned one';
  if (payload.tx.id !== facts.transactionId) return 'the transaction id is not the pinned one';
  if (payload.key !== facts.signer) return 'the key is not the signer';
  if (payload.author !== facts.identity) return 'the author is not the owner of the key';
  if (payload.node !== facts.node) return "the node is not the author's";
  if (payload.messages.length === 0) return 'no messages';
  if (payload.messages.length > networkLimits.maxBatchMessages) return 'too many messages';
  return undefined;
}

function faultOfData(payload: BatchPayload): string | undefined {
  const items = new Map(payload.data.map((item) => [item.id, item.hash]));
  if (items.size < payload.data.length) return 'a data item is listed twice';
  if (payload.data.some((item) => hashOfItem(item) !== item.hash)) return 'a data hash differs';
  if (payload.data.some((item) => item.validator !== 'json' && item.validator !== 'none')) return 'unknown validator';
  const referenced = new Set<string>();
  for (const { data } of payload.messages) {
    for (const { id, hash } of data) {
      if (items.get(id) !== hash) return 'a data item that a message refers to is missing';
      referenced.add(id);
    }
  }
  return referenced.size === items.size ? undefined : 'a data item that no message refers to';
}

function faultOfMessages(payload: BatchPayload): string | undefined {
  const values = new Map(payload.data.map((item) => [item.id, item.value]));
  const ids = new Set<string>();
  let bytes = 0;
  for (const message of payload.messages) {
    const { header } = message;
    if (header.author !== payload.author || header.key !== payload.key) return 'a message of another author';
    if (header.namespace !== payload.namespace) return 'a message of another namespace';
    const fault = faultOfMessage(message);
    if (fault !== undefined) return fault;
    ids.add(header.id);
    bytes += sizeOfMessage(message.data.flatMap(({ id }) => values.get(id) ?? []));
  }
  if (ids.size < payload.messages.length) return 'a message is listed twice';
  return bytes > networkLimits.maxBatchDataBytes ? 'more data than a batch may have' : undefined;
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

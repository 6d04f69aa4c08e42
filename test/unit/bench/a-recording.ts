import { createHash } from 'node:crypto';
import { batchPinTopic, type RawLog } from '../../../src/bench/check/chain-log.js';
import { type EventFacts, readEvent, readMessage, readPayload } from '../../../src/bench/check/facts/facts.js';
import { decodePin } from '../../../src/bench/check/chain-log.js';
import type { PartyRecord, Recording, SendRecord } from '../../../src/bench/check/recording.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const signer = `0x${'a1'.repeat(20)}`;

/** Returns a uuid that ends in a number. */
export function anId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export interface Written {
  readonly id: string;
  readonly hash: string;
  readonly topics: readonly string[];
  readonly value: string;
  readonly header: string;
  readonly dataId: string;
  readonly dataHash: string;
}

/** Returns a message with correct hashes. */
export function written(
  number: number,
  topics: readonly string[],
  value = `{"number":${number},"price":1.50}`,
): Written {
  const [id, dataId, dataHash] = [anId(number), anId(100 + number), sha256(value)];
  const datahash = sha256(`[{"id":"${dataId}","hash":"${dataHash}"}]`);
  const start =
    `{"id":"${id}","type":"broadcast","txtype":"batch_pin","author":"did:parley:org/alice",` + `"key":"${signer}"`;
  const middle = `"created":"2026-01-15T10:00:00.000Z","namespace":"default","topics":${JSON.stringify(topics)}`;
  const header = `${start},${middle},"datahash":"${datahash}"}`;
  return { id, hash: sha256(header), topics, value, header, dataId, dataHash };
}

/** Returns the record in the form of `GET messages`. */
export function served(message: Written, batch: string, changes: Readonly<Record<string, string>> = {}): string {
  const { hash, header, dataId, dataHash, value, topics } = message;
  const shown = header.replace('"topics":', `"topic":${JSON.stringify(topics)},"topics":`);
  const { state = '"confirmed"' } = changes;
  const isDecided = state === '"confirmed"' || state === '"rejected"';
  const members = {
    header: shown,
    hash: `"${hash}"`,
    batch: `"${batch}"`,
    state,
    ...(isDecided && { [state.slice(1, -1)]: '"2026-01-15T10:00:01.000Z"' }),
    data: `[{"id":"${dataId}","hash":"${dataHash}","value":${value}}]`,
    pins: JSON.stringify(topics.map(sha256)),
    ...changes,
  };
  return `{${Object.entries(members)
    .map(([name, raw]) => `"${name}":${raw}`)
    .join(',')}}`;
}

/** Returns the event of a message as a subscription delivers it. */
export function delivered(message: Written, batch: string, sequence: number, type = 'message_confirmed'): EventFacts {
  const id = anId(1_000 + sequence);
  const state = { state: `"${type.slice(8)}"`, data: `[{"id":"${message.dataId}","hash":"${message.dataHash}"}]` };
  const embedded = served(message, batch, state);
  return readEvent(
    `{"id":"${id}","sequence":${sequence},"type":"${type}","reference":"${message.id}","message":${embedded}}`,
  );
}

/** Returns the text of a batch. */
export function payloadOf(id: string, messages: readonly Written[]): string {
  const wrapped = messages.map(
    ({ header, hash, dataId, dataHash }) =>
      `{"header":${header},"hash":"${hash}","data":[{"id":"${dataId}","hash":"${dataHash}"}]}`,
  );
  const data = messages.map(
    ({ dataId, dataHash, value }) => `{"id":"${dataId}","hash":"${dataHash}","value":${value}}`,
  );
  const start = `{"version":1,"id":"${id}","author":"did:parley:org/alice","key":"${signer}"`;
  return `${start},"messages":[${wrapped.join(',')}],"data":[${data.join(',')}]}`;
}

/** Returns a `BatchPin` log as a chain encodes it. */
export function aLog(
  batch: string,
  payload: string,
  reference: string,
  contexts: readonly string[],
  block: number,
): RawLog {
  const word = (number: number): string => number.toString(16).padStart(64, '0');
  const uuids = anId(9).replaceAll('-', '') + batch.replaceAll('-', '');
  const text = Buffer.from(reference).toString('hex');
  const padded = text.padEnd(Math.ceil(text.length / 64) * 64, '0');
  const head = uuids + sha256(payload) + word(128) + word(160 + padded.length / 2);
  const tail = word(reference.length) + padded + word(contexts.length) + contexts.join('');
  return {
    address: '0x01',
    topics: [batchPinTopic, `0x${'0'.repeat(24)}${signer.slice(2)}`],
    data: `0x${head}${tail}`,
    blockNumber: `0x${block.toString(16)}`,
    transactionIndex: '0x0',
    logIndex: '0x0',
  };
}

export const first = written(1, ['orders']);
export const second = written(2, ['orders', 'returns']);
export const third = written(3, ['returns']);
export const firstBatch = anId(51);
export const secondBatch = anId(52);

function aParty(name: string): PartyRecord {
  const firstEvents = [delivered(first, firstBatch, 7), delivered(second, firstBatch, 8)];
  return {
    name,
    connections: [firstEvents, [delivered(third, secondBatch, 11)]],
    messages: [served(third, secondBatch), served(second, firstBatch), served(first, firstBatch)].map(readMessage),
    pending: 0,
  };
}

function aSend({ id, topics, value }: Written, sentMs: number): SendRecord {
  return { party: 'alice', sentMs, acceptedMs: sentMs + 5, id, topics, tag: undefined, valueHashes: [sha256(value)] };
}

/** A correct recording of three messages in two batches at two parties. */
export function aGoodRecording(): Recording {
  const texts = new Map([
    ['ref-1', payloadOf(firstBatch, [first, second])],
    ['ref-2', payloadOf(secondBatch, [third])],
  ]);
  const contexts = [['orders', 'orders', 'returns'], ['returns']].map((topics) => topics.map(sha256));
  const logs = [
    aLog(firstBatch, texts.get('ref-1') ?? '', 'ref-1', contexts[0] ?? [], 4),
    aLog(secondBatch, texts.get('ref-2') ?? '', 'ref-2', contexts[1] ?? [], 5),
  ];
  return {
    sends: [aSend(first, 10), aSend(second, 20), aSend(third, 30)],
    parties: [aParty('alice'), aParty('bob')],
    pins: logs.map(decodePin),
    payloads: new Map([...texts].map(([reference, text]) => [reference, readPayload(text)])),
    blocks: [{ number: 4, seen: '0xabc', now: '0xabc' }],
  };
}

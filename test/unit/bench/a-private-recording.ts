import { createHash } from 'node:crypto';
import { decodePin } from '../../../src/bench/check/chain-log.js';
import { readDatatype, readDefinition } from '../../../src/bench/check/facts/datatypes.js';
import { type EventFacts, readEvent, readMessage } from '../../../src/bench/check/facts/facts.js';
import { maskedValue, readGroup } from '../../../src/bench/check/facts/groups.js';
import type { PartyRecord, Recording, SendRecord } from '../../../src/bench/check/recording.js';
import { aLog, anId, signer } from './a-recording.js';

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

const nodes = { alice: '77e9474b-8692-86e7-89a6-23438b369acf', bob: '0ab88d48-3e8c-8eb5-bb6f-d0228aba1f29' };
const members = Object.entries(nodes).map(([name, node]) => ({ identity: `did:parley:org/${name}`, node }));
const named = `"namespace":"default","name":""`;
const groupHash = sha256(`{${named},"members":${JSON.stringify(members)}}`);
/** The group of alice and bob in the form of a node's answer. */
export const groupText =
  `{"namespace":"default","localNamespace":"default","name":"","members":${JSON.stringify(members)},` +
  `"hash":"${groupHash}","created":"2026-01-15T10:00:00.000Z"}`;

interface Secret {
  readonly id: string;
  readonly hash: string;
  readonly header: string;
  readonly author: string;
  readonly topic: string;
  readonly nonce: number | undefined;
  readonly value: string;
  readonly item: string;
  readonly blobHash: string | undefined;
}

function secret(number: number, author: string, nonce: number | undefined, blob?: string): Secret {
  const [id, dataId, topic] = [anId(number), anId(100 + number), 'margins'];
  const value = blob === undefined ? `{"secret":${number}.0}` : 'null';
  const blobHash = blob === undefined ? undefined : sha256(blob);
  const hash = blobHash ?? sha256(value);
  const reference = `"id":"${dataId}","hash":"${hash}"`;
  const file = blobHash === undefined ? '' : `,"blob":{"hash":"${blobHash}","size":${blob?.length ?? 0}}`;
  const start = `{"id":"${id}","type":"private","txtype":"${nonce === undefined ? 'none' : 'batch_pin'}"`;
  const who = `"author":"did:parley:org/${author}","key":"${signer}","created":"2026-01-15T10:00:00.000Z"`;
  const what = `"namespace":"default","group":"${groupHash}","topics":["${topic}"]`;
  const header = `${start},${who},${what},"datahash":"${sha256(`[{${reference}}]`)}"}`;
  const item = `{${reference},"value":${value}${file}}`;
  return { id, hash: sha256(header), header, author, topic, nonce, value, item, blobHash };
}

/** Returns the private value that alice, or bob, has on the chain for a number. */
export function valueOf(author: string, nonce: number): string {
  return maskedValue('margins', groupHash, `did:parley:org/${author}`, nonce);
}

/** Returns the record of a private message; `changes` replaces members by their raw text. */
export function servedSecret(message: Secret, batch: string, changes: Readonly<Record<string, string>> = {}): string {
  const { header, hash, item, author, nonce } = message;
  const pinned = nonce === undefined ? {} : { batch: `"${batch}"`, pins: `["${valueOf(author, nonce)}"]` };
  const members = {
    header,
    hash: `"${hash}"`,
    state: '"confirmed"',
    confirmed: '"2026-01-15T10:00:01.000Z"',
    data: `[${item}]`,
    ...pinned,
    ...changes,
  };
  return `{${Object.entries(members)
    .map(([name, raw]) => `"${name}":${raw}`)
    .join(',')}}`;
}

/** Returns the event of a private message. */
export function secretEvent(message: Secret, batch: string, sequence: number): EventFacts {
  const start = `{"id":"${anId(2_000 + sequence)}","sequence":${sequence},"type":"message_confirmed"`;
  return readEvent(`${start},"reference":"${message.id}","message":${servedSecret(message, batch)}}`);
}

export const [a0, b0, a1] = [secret(11, 'alice', 0), secret(12, 'bob', 0), secret(13, 'alice', 1, 'a file')];
export const unpinned = secret(14, 'alice', undefined);
const batches = [anId(61), anId(62), anId(63)] as const;
const placed = [
  [a0, batches[0]],
  [b0, batches[1]],
  [a1, batches[2]],
  [unpinned, ''],
] as const;

const schema = '{"type":"object"}';
/** The datatype `order@1` as defined by the first of two messages. */
export const datatypeText =
  `{"id":"${anId(71)}","message":"${anId(81)}","validator":"json","namespace":"default","name":"order","version":"1",` +
  `"hash":"${sha256(schema)}","created":"2026-01-15T10:00:00.000Z","value":${schema}}`;

/** Returns a definition of it, as a message with its data. */
export function definitionText(id: string, state: string): string {
  const header = `{"id":"${id}","type":"definition","tag":"svc_define_datatype"}`;
  const value = `{"name":"order","version":"1","value":${schema}}`;
  return `{"header":${header},"state":"${state}","${state}":"now","data":[{"value":${value}}]}`;
}

function aMember(name: string): PartyRecord {
  return {
    name,
    connections: [placed.map(([message, batch], index) => secretEvent(message, batch, index + 1))],
    messages: placed.map(([message, batch]) => readMessage(servedSecret(message, batch))),
    pending: 0,
    groups: [readGroup(groupText)],
    downloads: [{ data: anId(113), hash: a1.blobHash ?? '', sizeBytes: 6 }],
    ...definitions(),
  };
}

function definitions(): Pick<PartyRecord, 'datatypes' | 'definitions'> {
  const messages = [definitionText(anId(81), 'confirmed'), definitionText(anId(82), 'rejected')];
  return {
    datatypes: [readDatatype(datatypeText)],
    definitions: messages.flatMap((text) => readDefinition(text) ?? []),
  };
}

/** The order of the pins; tests change the place of bob's last one. */
export const pinOrder: readonly (readonly [Secret, string])[] = placed.slice(0, 3);

/** Returns the chain's log of private pins in an order. */
export function pinsOf(order: readonly (readonly [Secret, string])[]): Recording['pins'] {
  return order.map(([{ author, nonce = 0 }, batch], index) =>
    decodePin(aLog(batch, `payload ${batch}`, '', [valueOf(author, nonce)], index + 4)),
  );
}

function aSend({ id, topic, value, author, blobHash }: Secret, sentMs: number): SendRecord {
  const content = { topics: [topic], tag: undefined, valueHashes: [sha256(value)] };
  const blobHashes = blobHash === undefined ? [] : [blobHash];
  const meant = { party: author, sentMs, acceptedMs: sentMs + 5, id, members: ['alice', 'bob'] };
  return { ...meant, ...content, blobHashes };
}

/** Private messages of alice and bob, one of them with a file and one without a pin; carol has none of them. */
export function aPrivateRecording(): Recording {
  return {
    sends: placed.map(([message], index) => aSend(message, index * 10)),
    parties: [
      aMember('alice'),
      aMember('bob'),
      { name: 'carol', connections: [], messages: [], pending: 0, groups: [], ...definitions() },
    ],
    pins: pinsOf(pinOrder),
    payloads: new Map(),
    blocks: [],
    searches: [
      { canary: 'margins', members: ['alice', 'bob'], place: 'carol/data', party: 'carol', searchedBytes: 9, hits: [] },
      { canary: 'margins', members: ['alice', 'bob'], place: 'chain', party: null, searchedBytes: 9, hits: [] },
    ],
  };
}

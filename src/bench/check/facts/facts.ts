import { createHash } from 'node:crypto';
import { itemsOf, rawMembersOf, textMember } from '../raw-json.js';

/** The content of a message as a node serves it, with the result of checking its hashes. */
export interface MessageFacts {
  readonly id: string;
  /** `broadcast`, `private` or `definition`. */
  readonly type: string;
  /** `batch_pin`, or `none` for an unpinned message, which has no order. */
  readonly txtype: string;
  /** The hash of the group of a private message. */
  readonly group: string | undefined;
  /** Pins as served; undefined if there are none yet. */
  readonly pins: readonly string[] | undefined;
  /** The hash as served. */
  readonly hash: string;
  readonly namespace: string;
  readonly author: string;
  readonly key: string;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  readonly state: string;
  readonly confirmed: string | undefined;
  readonly rejected: string | undefined;
  readonly batch: string | undefined;
  readonly rejectReason: string | undefined;
  /** The computed hashes of the record's values, in order; empty if the record has only references. */
  readonly valueHashes: readonly string[];
  /** The files of the data items, with their expected hashes. */
  readonly blobs: readonly BlobFacts[];
  /** Every mismatch between a hash in the record and its content. */
  readonly damage: readonly string[];
}

/** The file of a data item. */
export interface BlobFacts {
  /** Id of the data item. */
  readonly data: string;
  readonly hash: string;
}

/** The content of a batch's payload. */
export interface PayloadFacts {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly id: string;
  readonly key: string;
  readonly author: string;
  readonly messages: readonly MessageFacts[];
  /** The contexts derived from its messages. */
  readonly contexts: readonly string[];
}

export interface EventFacts {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly reference: string;
  readonly message: MessageFacts | undefined;
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Reads a message as `GET messages` serves it. The header without `topic` is the hashed text; values are hashed
 * unchanged.
 *
 * @throws Error if it is not a message
 */
export function readMessage(text: string): MessageFacts {
  const members = rawMembersOf(text);
  const headerText = required(members, 'header');
  const header = rawMembersOf(headerText);
  const hashed = [...header]
    .filter(([name]) => name !== 'topic')
    .map(([name, raw]) => `${JSON.stringify(name)}:${raw}`);
  const topics = texts(required(header, 'topics'));
  const data = itemsOf(required(members, 'data')).map(rawMembersOf);
  const hash = textMember(members, 'hash') ?? '';
  const damage: string[] = [];
  const expect = (isTrue: boolean, problem: string): void => {
    if (!isTrue) damage.push(problem);
  };

  expect(sha256(`{${hashed.join(',')}}`) === hash, 'hash is not the hash of the header');
  const references = data.map((item) => `{"id":${required(item, 'id')},"hash":${required(item, 'hash')}}`);
  expect(
    sha256(`[${references.join(',')}]`) === textMember(header, 'datahash'),
    'datahash is not the hash of the data',
  );
  const topicCopy = header.get('topic');
  expect(topicCopy === undefined || topicCopy === header.get('topics'), 'topic differs from topics');
  const group = textMember(header, 'group');
  const pins = members.has('pins') ? texts(required(members, 'pins')) : undefined;
  const txtype = textMember(header, 'txtype') ?? '';
  damage.push(...damageOfPins({ group, txtype, topics, pins }));
  const [state = '', confirmed, rejected] = ['state', 'confirmed', 'rejected'].map((name) => textMember(members, name));
  expect((confirmed !== undefined) === (state === 'confirmed'), `confirmed does not match the state ${state}`);
  expect((rejected !== undefined) === (state === 'rejected'), `rejected does not match the state ${state}`);
  const items = data.map(readItem);
  damage.push(...items.flatMap((item) => item.damage));
  return {
    id: textMember(header, 'id') ?? '',
    type: textMember(header, 'type') ?? '',
    txtype,
    group,
    pins,
    hash,
    namespace: textMember(header, 'namespace') ?? '',
    author: textMember(header, 'author') ?? '',
    key: textMember(header, 'key') ?? '',
    topics,
    tag: textMember(header, 'tag'),
    state,
    confirmed,
    rejected,
    batch: textMember(members, 'batch'),
    rejectReason: textMember(members, 'rejectReason'),
    valueHashes: items.flatMap(({ valueHash }) => valueHash ?? []),
    blobs: items.flatMap(({ blob }) => blob ?? []),
    damage,
  };
}

/** Checks the pins of a broadcast; of a private message, only their number can be checked. */
function damageOfPins(parts: Pick<MessageFacts, 'group' | 'txtype' | 'topics' | 'pins'>): string[] {
  const { group, txtype, topics, pins } = parts;
  if (pins === undefined) return [];
  if (txtype !== 'batch_pin') return ['an unpinned message has pins'];
  if (group !== undefined) return pins.length === topics.length ? [] : ['there is not one pin for each topic'];
  return pins.join() === topics.map(sha256).join() ? [] : ['pins do not match the topics'];
}

interface ItemFacts {
  readonly valueHash?: string;
  readonly blob?: BlobFacts;
  readonly damage: readonly string[];
}

/** Checks a data item: its hash is that of the value, of the file, or of both hashes as text. */
function readItem(item: ReadonlyMap<string, string>): ItemFacts {
  const value = item.get('value');
  if (value === undefined) return { damage: [] };
  const [id = '', hash = ''] = [textMember(item, 'id'), textMember(item, 'hash')];
  const blobHash = item.has('blob') ? textMember(rawMembersOf(required(item, 'blob')), 'hash') : undefined;
  const valueHash = sha256(value);
  const expected = blobHash === undefined ? valueHash : value === 'null' ? blobHash : sha256(`${valueHash}${blobHash}`);
  return {
    valueHash,
    ...(blobHash !== undefined && { blob: { data: id, hash: blobHash } }),
    damage: expected === hash ? [] : [`data ${id} does not have the hash of its content`],
  };
}

/** Reads an event as a subscription delivers it. @throws Error if it is not an event */
export function readEvent(text: string): EventFacts {
  const members = rawMembersOf(text);
  const message = members.get('message');
  return {
    id: textMember(members, 'id') ?? '',
    sequence: Number(required(members, 'sequence')),
    type: textMember(members, 'type') ?? '',
    reference: textMember(members, 'reference') ?? '',
    message: message === undefined ? undefined : readMessage(message),
  };
}

/** Reads a batch from the shared store. @throws Error if it is not a payload */
export function readPayload(bytes: string | Uint8Array): PayloadFacts {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const members = rawMembersOf(text);
  const values = new Map(
    itemsOf(required(members, 'data')).map((item) => {
      const data = rawMembersOf(item);
      return [textMember(data, 'id') ?? '', data] as const;
    }),
  );
  const messages = itemsOf(required(members, 'messages')).map((message) => {
    const parts = rawMembersOf(message);
    const data = itemsOf(required(parts, 'data')).map((reference) => {
      const id = textMember(rawMembersOf(reference), 'id') ?? '';
      const item = values.get(id);
      const blob = item?.get('blob');
      const value = item?.get('value') ?? (blob === undefined ? undefined : 'null');
      const content = `${value === undefined ? '' : `,"value":${value}`}${blob === undefined ? '' : `,"blob":${blob}`}`;
      return `${reference.slice(0, -1)}${content}}`;
    });
    const state = '"state":"ready"';
    return readMessage(
      `{"header":${required(parts, 'header')},"hash":${required(parts, 'hash')},${state},"data":[${data.join(',')}]}`,
    );
  });
  return {
    hash: sha256(bytes),
    id: textMember(members, 'id') ?? '',
    key: textMember(members, 'key') ?? '',
    author: textMember(members, 'author') ?? '',
    messages,
    contexts: messages.flatMap((message) => message.topics.map(sha256)),
  };
}

function required(members: ReadonlyMap<string, string>, name: string): string {
  const raw = members.get(name);
  if (raw === undefined) throw new Error(`the record has no member "${name}"`);
  return raw;
}

function texts(raw: string): string[] {
  return itemsOf(raw).map((item) => String(JSON.parse(item)));
}

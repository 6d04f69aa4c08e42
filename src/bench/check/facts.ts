import { createHash } from 'node:crypto';
import { itemsOf, membersOf, textMember } from './raw-json.js';

/** What a served record says, and whether its hashes are true of it. */
export interface MessageFacts {
  readonly id: string;
  /** `broadcast`, `private` or `definition`. */
  readonly type: string;
  /** `batch_pin`, or `none` for a message that has no place in any order. */
  readonly txtype: string;
  /** Hash of the group of a private message. */
  readonly group: string | undefined;
  /** Pins as served; undefined while there are none. */
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
  /** Hashes computed from the values that came with the record, in its order; empty when only references came. */
  readonly valueHashes: readonly string[];
  /** Files that the items name, with the hashes that they shall have. */
  readonly blobs: readonly BlobFacts[];
  /** Everything in the record that is not the hash of what it should be. */
  readonly damage: readonly string[];
}

/** A file as a data item names it. */
export interface BlobFacts {
  /** Id of the data item. */
  readonly data: string;
  readonly hash: string;
}

/** A batch as its payload has it. */
export interface PayloadFacts {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly id: string;
  readonly key: string;
  readonly author: string;
  readonly messages: readonly MessageFacts[];
  /** The contexts that follow from its messages. */
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
 * A message as `GET messages` serves it. The header without `topic` is the hashed text; values are hashed as they are.
 *
 * @throws Error when it is no message
 */
export function readMessage(text: string): MessageFacts {
  const members = membersOf(text);
  const headerText = required(members, 'header');
  const header = membersOf(headerText);
  const hashed = [...header]
    .filter(([name]) => name !== 'topic')
    .map(([name, raw]) => `${JSON.stringify(name)}:${raw}`);
  const topics = texts(required(header, 'topics'));
  const data = itemsOf(required(members, 'data')).map(membersOf);
  const hash = textMember(members, 'hash') ?? '';
  const damage: string[] = [];
  const expect = (isTrue: boolean, sentence: string): void => {
    if (!isTrue) damage.push(sentence);
  };

  expect(sha256(`{${hashed.join(',')}}`) === hash, 'hash is not the hash of the header');
  const references = data.map((item) => `{"id":${required(item, 'id')},"hash":${required(item, 'hash')}}`);
  expect(sha256(`[${references.join(',')}]`) === textMember(header, 'datahash'), 'datahash is not that of the data');
  const topicCopy = header.get('topic');
  expect(topicCopy === undefined || topicCopy === header.get('topics'), 'topic differs from topics');
  const group = textMember(header, 'group');
  const pins = members.has('pins') ? texts(required(members, 'pins')) : undefined;
  const txtype = textMember(header, 'txtype') ?? '';
  damage.push(...damageOfPins({ group, txtype, topics, pins }));
  const [state = '', confirmed, rejected] = ['state', 'confirmed', 'rejected'].map((name) => textMember(members, name));
  expect((confirmed !== undefined) === (state === 'confirmed'), `confirmed does not go with the state ${state}`);
  expect((rejected !== undefined) === (state === 'rejected'), `rejected does not go with the state ${state}`);
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

/** What anybody can see of pins: those of a broadcast are computed; of others there are none, or one a topic. */
function damageOfPins(parts: Pick<MessageFacts, 'group' | 'txtype' | 'topics' | 'pins'>): string[] {
  const { group, txtype, topics, pins } = parts;
  if (pins === undefined) return [];
  if (txtype === 'none') return ['a message without a place in the order has pins'];
  if (group !== undefined) return pins.length === topics.length ? [] : ['there is not one pin a topic'];
  return pins.join() === topics.map(sha256).join() ? [] : ['pins are not those of the topics'];
}

interface ItemFacts {
  readonly valueHash?: string;
  readonly blob?: BlobFacts;
  readonly damage: readonly string[];
}

/** A data item, whole or a reference: its hash is that of value, of file, or of both hashes as text. */
function readItem(item: ReadonlyMap<string, string>): ItemFacts {
  const value = item.get('value');
  if (value === undefined) return { damage: [] };
  const [id = '', hash = ''] = [textMember(item, 'id'), textMember(item, 'hash')];
  const blobHash = item.has('blob') ? textMember(membersOf(required(item, 'blob')), 'hash') : undefined;
  const valueHash = sha256(value);
  const expected = blobHash === undefined ? valueHash : value === 'null' ? blobHash : sha256(`${valueHash}${blobHash}`);
  return {
    valueHash,
    ...(blobHash !== undefined && { blob: { data: id, hash: blobHash } }),
    damage: expected === hash ? [] : [`data ${id} has not the hash of its content`],
  };
}

/** An event as a subscription delivers it. @throws Error when it is no event */
export function readEvent(text: string): EventFacts {
  const members = membersOf(text);
  const message = members.get('message');
  return {
    id: textMember(members, 'id') ?? '',
    sequence: Number(required(members, 'sequence')),
    type: textMember(members, 'type') ?? '',
    reference: textMember(members, 'reference') ?? '',
    message: message === undefined ? undefined : readMessage(message),
  };
}

/** A batch as it lies in the shared store. @throws Error when it is no payload */
export function readPayload(bytes: string | Uint8Array): PayloadFacts {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const members = membersOf(text);
  const values = new Map(
    itemsOf(required(members, 'data')).map((item) => {
      const data = membersOf(item);
      return [textMember(data, 'id') ?? '', data] as const;
    }),
  );
  const messages = itemsOf(required(members, 'messages')).map((message) => {
    const parts = membersOf(message);
    const data = itemsOf(required(parts, 'data')).map((reference) => {
      const id = textMember(membersOf(reference), 'id') ?? '';
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

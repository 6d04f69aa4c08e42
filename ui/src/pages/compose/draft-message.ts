import { textsOf } from '../../actions/stored-texts.js';

export interface DraftItem {
  /** Identifies the item within the draft. */
  readonly key: string;
  readonly kind: 'json' | 'text' | 'file' | 'data';
  /** The value as typed. */
  readonly text: string;
  /** `name@version`; empty for none. */
  readonly datatype: string;
  /** The id of an existing data item or an uploaded file; empty if there is none yet. */
  readonly id: string;
  /** The name of the file. */
  readonly name: string;
}

/** The content of the message form. */
export interface DraftMessage {
  readonly kind: 'broadcast' | 'private';
  /** Names of organisations. */
  readonly recipients: readonly string[];
  /** More recipients, by DID or key, separated by commas. */
  readonly others: string;
  /** Hash of a group, instead of recipients; empty for none. */
  readonly group: string;
  readonly items: readonly DraftItem[];
  readonly topics: string;
  readonly tag: string;
  readonly isUnpinned: boolean;
  readonly idempotencyKey: string;
  /** Id of the message that this one replies to. */
  readonly cid: string;
  /** DID of the identity that signs; empty for the organisation of this node. */
  readonly author: string;
  /** Whether the request waits for a reply. */
  readonly waitsForReply: boolean;
}

/** Creates an item with a new key. */
export function anItem(item: Partial<DraftItem> & Pick<DraftItem, 'kind'>): DraftItem {
  return {
    key: crypto.getRandomValues(new Uint32Array(2)).join('-'),
    text: '',
    datatype: '',
    id: '',
    name: '',
    ...item,
  };
}

export function emptyDraft(): DraftMessage {
  return {
    kind: 'broadcast',
    recipients: [],
    others: '',
    group: '',
    items: [anItem({ kind: 'json' })],
    topics: '',
    tag: '',
    isUnpinned: false,
    idempotencyKey: '',
    cid: '',
    author: '',
    waitsForReply: false,
  };
}

export function isEmpty(draft: DraftMessage): boolean {
  const { items, recipients, others, group, topics, tag, idempotencyKey, cid, author } = draft;
  const hasItem = items.some(({ kind, text, id }) => kind === 'file' || text !== '' || id !== '');
  return (
    !hasItem && recipients.length === 0 && [others, group, topics, tag, idempotencyKey, cid, author].join('') === ''
  );
}

/** Reads a stored draft; undefined if it is none. */
export function readDraft(stored: unknown): DraftMessage | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const texts = textsOf(stored);
  const text = (name: string) => texts.get(name) ?? '';
  const recipients = 'recipients' in stored ? listOf(stored.recipients) : [];
  const items = 'items' in stored ? listOf(stored.items) : [];
  return {
    kind: text('kind') === 'private' ? 'private' : 'broadcast',
    recipients: recipients.filter((each) => typeof each === 'string'),
    others: text('others'),
    group: text('group'),
    items: items.map(readItem),
    topics: text('topics'),
    tag: text('tag'),
    isUnpinned: 'isUnpinned' in stored && stored.isUnpinned === true,
    idempotencyKey: text('idempotencyKey'),
    cid: text('cid'),
    author: text('author'),
    waitsForReply: 'waitsForReply' in stored && stored.waitsForReply === true,
  };
}

function readItem(stored: unknown): DraftItem {
  const texts = textsOf(stored);
  const text = (name: string) => texts.get(name) ?? '';
  const kind = kinds.find((each) => each === text('kind')) ?? 'json';
  return anItem({ kind, text: text('text'), datatype: text('datatype'), id: text('id'), name: text('name') });
}

const kinds: readonly DraftItem['kind'][] = ['json', 'text', 'file', 'data'];

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

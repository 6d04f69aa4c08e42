import { textsOf } from '../../actions/stored-texts.js';

/** An item of a message that is being written. */
export interface DraftItem {
  /** Which of the items it is, as long as the draft lives. */
  readonly key: string;
  readonly kind: 'json' | 'text' | 'file' | 'data';
  /** The value as it was typed. */
  readonly text: string;
  /** `name@version`; empty for none. */
  readonly datatype: string;
  /** The id of data that the node has, chosen or made of a file. Empty until then. */
  readonly id: string;
  /** The name of the file. */
  readonly name: string;
}

/** A message that is being written: everything that was typed and chosen. */
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
  /** Id of the message that this one answers. */
  readonly cid: string;
  /** DID of the identity that signs; empty for the organisation of this node. */
  readonly author: string;
  /** Whether the request ends with the message that answers this one. */
  readonly isAnswered: boolean;
}

/** An item with this content. */
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

/** A message with nothing in it but the place of one value. */
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
    isAnswered: false,
  };
}

/** Whether nothing was entered or chosen. */
export function isEmpty(draft: DraftMessage): boolean {
  const { items, recipients, others, group, topics, tag, idempotencyKey, cid, author } = draft;
  const hasItem = items.some(({ kind, text, id }) => kind === 'file' || text !== '' || id !== '');
  return (
    !hasItem && recipients.length === 0 && [others, group, topics, tag, idempotencyKey, cid, author].join('') === ''
  );
}

/** The draft that was stored; undefined for anything else. */
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
    isAnswered: 'isAnswered' in stored && stored.isAnswered === true,
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

import type { Data } from '../../../../src/wire/data/data.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { anItem, type DraftItem, type DraftMessage, emptyDraft } from './draft-message.js';

/** Larger values are sent again by the id of their data item. */
const maxTypedCharacters = 100_000;

/** Creates a draft from a message; undefined for a definition, which cannot be composed. */
export function draftOf({ header, data: references }: Message, data: readonly Data[]): DraftMessage | undefined {
  if (header.type === 'definition') return undefined;
  const isPrivate = header.type.includes('private');
  return {
    ...emptyDraft(),
    kind: isPrivate ? 'private' : 'broadcast',
    group: isPrivate ? (header.group ?? '') : '',
    items: references.map(({ id }) => {
      const item = data.find((each) => each.id === id);
      // A missing item stays in the draft, so that the node refuses the message instead of sending it incomplete.
      return item === undefined ? anItem({ kind: 'data', id }) : itemOf(item);
    }),
    topics: header.topics.join(', '),
    tag: header.tag ?? '',
    isUnpinned: header.txtype !== 'batch_pin',
    cid: header.cid ?? '',
  };
}

function itemOf({ id, value, datatype, blob }: Data): DraftItem {
  if (blob !== undefined) return anItem({ kind: 'data', id, name: blob.name ?? '' });
  if (value === noValue || value.length > maxTypedCharacters) return anItem({ kind: 'data', id });
  return anItem({
    kind: 'json',
    text: value,
    datatype: datatype === undefined ? '' : `${datatype.name}@${datatype.version}`,
  });
}

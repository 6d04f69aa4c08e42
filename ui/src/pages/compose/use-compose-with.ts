import { textOf } from '../../../../src/wire/json/json.js';
import { keptDraft, keepDraft } from '../../actions/draft.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { pagePlace } from '../../url/place.js';
import { nodeNow } from '../../api/node-clock.js';
import { type DraftMessage, isEmpty, readDraft } from './draft-message.js';
import { readWritten, withWritten } from './history.js';

/** Returns a function that opens the compose page with a draft. The current draft is moved to the history. */
export function useComposeWith(): (draft: DraftMessage) => void {
  const { client, places } = useExplorer();
  const place = usePlace();
  return (draft) => {
    const { namespace } = client;
    const former = keptDraft(namespace, 'draft', readDraft);
    const written = keptDraft(namespace, 'written', readWritten) ?? [];
    const isKept = former === undefined || isEmpty(former) || written.some((each) => isSame(each.draft, former));
    if (!isKept) {
      const unsent = { id: undefined, time: new Date(nodeNow()).toISOString(), draft: former };
      keepDraft(namespace, 'written', withWritten(written, unsent));
    }
    keepDraft(namespace, 'draft', draft);
    places.go(pagePlace(place, 'compose'));
  };
}

function isSame(left: DraftMessage, right: DraftMessage): boolean {
  const contentOf = (draft: DraftMessage) =>
    textOf({ ...draft, items: draft.items.map((item) => ({ ...item, key: '' })) });
  return contentOf(left) === contentOf(right);
}

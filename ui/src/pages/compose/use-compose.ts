import { type SetStateAction, useCallback } from 'react';
import { useDraft } from '../../actions/draft.js';
import { nodeNow } from '../../api/node-clock.js';
import { type DraftMessage, emptyDraft, isEmpty, readDraft } from './draft-message.js';
import { readWritten, type Written, withWritten } from './history.js';

export interface Compose {
  readonly draft: DraftMessage;
  readonly change: (change: SetStateAction<DraftMessage>) => void;
  readonly written: readonly Written[];
  /** Adds the draft to the history as sent. */
  readonly sent: (id: string) => void;
  /** Replaces the draft. The former one is moved to the history, unless it is empty. */
  readonly use: (draft: DraftMessage) => void;
}

export function useCompose(): Compose {
  const [draft, setDraft] = useDraft('draft', emptyDraft(), readDraft);
  const [written, setWritten] = useDraft<readonly Written[]>('written', [], readWritten);
  const record = useCallback(
    (id: string | undefined, recorded: DraftMessage) =>
      setWritten((list) => withWritten(list, { id, time: new Date(nodeNow()).toISOString(), draft: recorded })),
    [setWritten],
  );
  return {
    draft,
    change: setDraft,
    written,
    sent: (id) => record(id, draft),
    use: (next) => {
      const isRecorded = written.some((each) => each.draft === draft);
      if (!isEmpty(draft) && !isRecorded) record(undefined, draft);
      setDraft(next);
    },
  };
}

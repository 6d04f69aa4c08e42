import { type SetStateAction, useCallback } from 'react';
import { useDraft } from '../../actions/draft.js';
import { type DraftMessage, emptyDraft, isEmpty, readDraft } from './draft-message.js';
import { readWritten, type Written, withWritten } from './history.js';

export interface Compose {
  readonly draft: DraftMessage;
  readonly change: (change: SetStateAction<DraftMessage>) => void;
  readonly written: readonly Written[];
  /** Notes that the draft was sent as this message. */
  readonly sent: (id: string) => void;
  /** Begins with another draft. The one that was being written joins the history, unless nothing is in it. */
  readonly use: (draft: DraftMessage) => void;
}

/** The draft of this tab and its history. */
export function useCompose(): Compose {
  const [draft, setDraft] = useDraft('draft', emptyDraft(), readDraft);
  const [written, setWritten] = useDraft<readonly Written[]>('written', [], readWritten);
  const note = useCallback(
    (id: string | undefined, noted: DraftMessage) =>
      setWritten((list) => withWritten(list, { id, time: new Date().toISOString(), draft: noted })),
    [setWritten],
  );
  return {
    draft,
    change: setDraft,
    written,
    sent: (id) => note(id, draft),
    use: (next) => {
      const isNoted = written.some((each) => each.draft === draft);
      if (!isEmpty(draft) && !isNoted) note(undefined, draft);
      setDraft(next);
    },
  };
}

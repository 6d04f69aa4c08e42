import { type DraftMessage, readDraft } from './draft-message.js';

/** A message written in this tab: sent, or replaced by another draft. */
export interface Written {
  /** The id of the message; undefined if it was not sent. */
  readonly id: string | undefined;
  readonly time: string;
  readonly draft: DraftMessage;
}

const maxWritten = 20;

/** Adds an entry to the front of the list. */
export function withWritten(list: readonly Written[], written: Written): readonly Written[] {
  return [written, ...list].slice(0, maxWritten);
}

/** Reads a stored list; undefined if it is none. Invalid entries are left out. */
export function readWritten(stored: unknown): readonly Written[] | undefined {
  if (!Array.isArray(stored)) return undefined;
  const list: readonly unknown[] = stored;
  return list.flatMap((each) => {
    if (typeof each !== 'object' || each === null || !('draft' in each) || !('time' in each)) return [];
    const draft = readDraft(each.draft);
    if (draft === undefined || typeof each.time !== 'string') return [];
    return [{ id: 'id' in each && typeof each.id === 'string' ? each.id : undefined, time: each.time, draft }];
  });
}

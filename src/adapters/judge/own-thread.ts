import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The system's id of the thread that runs this; undefined where the system does not tell. */
export const ownThreadId = findOwnId();

function findOwnId(): number | undefined {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').pop());
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    // Not Linux.
    return undefined;
  }
}

/**
 * Lowers the priority of this thread, so that the threads that answer and deliver run first. It is not the lowest: with
 * that it would hardly run beside programs that never rest. On systems other than Linux the priority belongs to the
 * process, and stays as it is.
 */
function giveWay(): void {
  if (ownThreadId === undefined) return;
  try {
    setPriority(ownThreadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system does not allow it: the thread runs as any other.
  }
}

// This module is imported before all others of the thread, since loading them is work, too.
giveWay();

import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The system's id of the current thread; undefined if the system does not provide it. */
export const ownThreadId = findOwnId();

function findOwnId(): number | undefined {
  try {
    const id = Number(readlinkSync('/proc/thread-self').split('/').pop());
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    // Not on Linux.
    return undefined;
  }
}

/**
 * Lowers the priority of this thread, so that threads which respond and deliver run first. It is not the lowest
 * priority, with which the thread would hardly run beside busy programs. On systems other than Linux priorities belong
 * to processes, and stay unchanged.
 */
function lowerPriority(): void {
  if (ownThreadId === undefined) return;
  try {
    setPriority(ownThreadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not permitted by the system: the thread keeps its priority.
  }
}

// This module is imported before all others of the thread, since loading them takes processor time, too.
lowerPriority();

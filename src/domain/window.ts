/**
 * What of a subscription is on its way: at most `readAhead + 1` events sent and not acknowledged (S §10.5, §10.6). Pure
 * state of one delivery, owned by it alone.
 */
export interface Window {
  /** Whether another event may be sent. */
  readonly hasRoom: boolean;
  /** Ids in flight, oldest first. */
  readonly inFlight: readonly string[];
  /** Takes note that an event was sent. */
  sent(id: string): void;
  /**
   * An event in flight is acknowledged (without an id the oldest). False when it matches nothing, also not a recent
   * one.
   */
  acknowledge(id?: string): boolean;
}

const maxRemembered = 1_000;

/** An empty window for `readAhead` events beside the one that is being consumed. */
export function createWindow(readAhead: number): Window {
  const inFlight = new Set<string>();
  const remembered = new Set<string>();
  return {
    get hasRoom() {
      return inFlight.size <= readAhead;
    },
    get inFlight() {
      return [...inFlight];
    },
    sent(id) {
      inFlight.add(id);
    },
    acknowledge(id) {
      const acknowledged = id ?? inFlight.values().next().value;
      if (acknowledged === undefined) return false;
      // A repeated acknowledgement is ignored, not an error (S §11.2).
      if (!inFlight.delete(acknowledged)) return remembered.has(acknowledged);
      remembered.add(acknowledged);
      if (remembered.size > maxRemembered) forgetOldest(remembered);
      return true;
    },
  };
}

function forgetOldest(remembered: Set<string>): void {
  const oldest = remembered.values().next().value;
  if (oldest !== undefined) remembered.delete(oldest);
}

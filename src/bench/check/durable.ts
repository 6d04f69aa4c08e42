import type { DurableRecord, Evidence } from './recording.js';

/** The state of a durable subscription while its record is replayed. */
interface Place {
  readonly party: string;
  readonly record: DurableRecord;
  readonly evidence: Evidence;
  /** Index of each listed event in the list. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly acknowledged: Set<number>;
  /** Index of the first unacknowledged event. */
  lowest: number;
}

/**
 * Checks I9 for a durable subscription: its deliveries without repeats are the matching events, in list order and
 * without a gap. A connection begins at the lowest unacknowledged event, or before it by at most the window; skipped
 * events were acknowledged; and at most a window of events is unacknowledged at a time.
 */
export function checkDurable(party: string, record: DurableRecord, evidence: Evidence): void {
  const numbers = new Map(record.listed.map(({ id }, number) => [id, number]));
  const place: Place = { party, record, evidence, numbers, acknowledged: new Set(), lowest: 0 };
  for (const connection of record.connections) checkConnection(place, connection);
  const missing = record.listed[place.lowest];
  if (missing !== undefined) evidence.faults.push(`event ${missing.id} never came to the durable listener of ${party}`);
  const last = record.listed.at(-1)?.sequence ?? -Infinity;
  if (record.offset !== undefined && place.lowest === record.listed.length && record.offset < last) {
    evidence.faults.push(`everything is acknowledged at ${party} up to ${last}, and its offset is ${record.offset}`);
  }
}

function checkConnection(place: Place, steps: DurableRecord['connections'][number]): void {
  const { party, record, evidence, numbers, acknowledged } = place;
  const window = record.readAhead + 1;
  const first = place.lowest - window;
  const inFlight = new Set<number>();
  let next = place.lowest;
  let last = -1;
  for (const { is, id } of steps) {
    evidence.count++;
    const number = numbers.get(id);
    if (number === undefined) {
      evidence.faults.push(`event ${id} came to the durable listener of ${party} and is not in its list`);
    } else if (is === 'acknowledged') {
      inFlight.delete(number);
      acknowledged.add(number);
      while (acknowledged.has(place.lowest)) place.lowest++;
    } else {
      if (number <= last) evidence.faults.push(`event ${id} came out of order to the durable listener of ${party}`);
      if (number < first)
        evidence.faults.push(`event ${id} came again at ${party} though it was acknowledged long ago`);
      for (; next < number; next++) {
        if (!acknowledged.has(next)) evidence.faults.push(`before event ${id} one was left out at ${party}`);
      }
      next = Math.max(next, number + 1);
      last = number;
      inFlight.add(number);
      if (inFlight.size > window)
        evidence.faults.push(`${inFlight.size} events were in flight at ${party} at event ${id}`);
    }
  }
}

import type { DurableRecord, Evidence } from './recording.js';

/** The state of a durable subscription while its record is replayed. */
interface Replay {
  readonly party: string;
  readonly record: DurableRecord;
  readonly evidence: Evidence;
  /** The index of each listed event, by id. */
  readonly indexes: ReadonlyMap<string, number>;
  readonly acknowledged: Set<number>;
  /** The index of the first unacknowledged event. */
  lowest: number;
}

/**
 * Checks I9 for a durable subscription: its deliveries without repeats are the matching events, in list order and
 * without a gap. A connection begins at the lowest unacknowledged event, or before it by at most the window; skipped
 * events were acknowledged; and at most a window of events is unacknowledged at a time.
 */
export function checkDurable(party: string, record: DurableRecord, evidence: Evidence): void {
  const indexes = new Map(record.listed.map(({ id }, index) => [id, index]));
  const replay: Replay = { party, record, evidence, indexes, acknowledged: new Set(), lowest: 0 };
  for (const connection of record.connections) checkConnection(replay, connection);
  const missing = record.listed[replay.lowest];
  if (missing !== undefined)
    evidence.faults.push(`event ${missing.id} was never delivered by the durable subscription of ${party}`);
  const last = record.listed.at(-1)?.sequence ?? -Infinity;
  if (record.offset !== undefined && replay.lowest === record.listed.length && record.offset < last) {
    evidence.faults.push(`everything up to ${last} is acknowledged at ${party}, but the offset is ${record.offset}`);
  }
}

function checkConnection(replay: Replay, steps: DurableRecord['connections'][number]): void {
  const { party, record, evidence, indexes, acknowledged } = replay;
  const window = record.readAhead + 1;
  const first = replay.lowest - window;
  const inFlight = new Set<number>();
  let next = replay.lowest;
  let last = -1;
  for (const { is, id } of steps) {
    evidence.count++;
    const index = indexes.get(id);
    if (index === undefined) {
      evidence.faults.push(`event ${id} was delivered by the durable subscription of ${party} and is not in its list`);
    } else if (is === 'acknowledged') {
      inFlight.delete(index);
      acknowledged.add(index);
      while (acknowledged.has(replay.lowest)) replay.lowest++;
    } else {
      if (index <= last) {
        evidence.faults.push(`event ${id} was delivered out of order by the durable subscription of ${party}`);
      }
      if (index < first) {
        evidence.faults.push(`event ${id} was repeated at ${party}, although it was acknowledged long before`);
      }
      for (; next < index; next++) {
        if (!acknowledged.has(next)) evidence.faults.push(`an event before event ${id} was skipped at ${party}`);
      }
      next = Math.max(next, index + 1);
      last = index;
      inFlight.add(index);
      if (inFlight.size > window)
        evidence.faults.push(`${inFlight.size} events were in flight at ${party} at event ${id}`);
    }
  }
}

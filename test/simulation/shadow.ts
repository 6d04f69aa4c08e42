import type { Simulator } from './life.js';
import { contextOf, lineOf, type Oracle } from './oracle.js';
import type { Write } from './ports.js';

/** Thrown when a rule of docs/architecture.md §9.1 is broken. */
export class InvariantViolation extends Error {
  constructor(
    readonly invariant: string,
    sentence: string,
  ) {
    super(`${invariant}: ${sentence}`);
    this.name = 'InvariantViolation';
  }
}

/** Checks the commits of one party as they come. */
export interface Shadow {
  onCommit(writes: readonly Write[]): void;
  /** Stops the comparison: the chain has other blocks than the node has read. */
  suspend(): void;
  /** Compares again, beginning with the events that a rebuild has kept. */
  resume(events: readonly EventFields[]): void;
  /** Number of messages decided so far; -1 while suspended. */
  decidedCount(): number;
  /** Ids of the events so far in the namespace that subscriptions watch. */
  visibleEvents(): readonly string[];
}

interface EventFields {
  readonly type: string;
  readonly reference: string;
  readonly referenceHash: string;
  readonly namespace: string;
  readonly topics: readonly string[];
}

/**
 * Compares each new event with the oracle: I2 (one event per message), I3 and I4 (the next place in each topic), I6
 * (the verdict), I13 (nothing overtakes what blocks it).
 */
export function createShadow(party: string, { scheduler, sometimes }: Simulator, oracle: Oracle): Shadow {
  const places = new Map<string, number>();
  /** By message key: the namespaces with its event. A definition also has one in the namespace that it defines for. */
  const decided = new Map<string, Map<string, string>>();
  const visible: string[] = [];
  let isSuspended = false;

  function violated(invariant: string, sentence: string): void {
    scheduler.fail(new InvariantViolation(invariant, `${sentence} at ${party}`));
  }

  function take(event: EventFields): void {
    scheduler.note(party, event.type);
    if (event.type === 'datatype_confirmed') checkWinner(event);
    if (!isDecision(event)) return;
    const key = `${event.reference}/${event.referenceHash}`;
    // Its sender is told; for all others it does not exist.
    if (event.type === 'message_rejected' && oracle.isVoid(key)) {
      if (event.namespace === 'default') visible.push(key);
      return;
    }
    const known = oracle.messages().get(key) ?? oracle.unpinned().get(key);
    if (known?.members !== undefined && !known.members.has(party)) violated('I8', `message ${key} is decided`);
    const told = decided.get(key);
    if (told?.has(event.namespace) === true) violated('I2', `message ${key} has a second event`);
    if (event.namespace === 'default') visible.push(key);
    if (told !== undefined) {
      told.set(event.namespace, event.type);
      const isElsewhere = known?.namespace === 'svc_system' && new Set(told.values()).size === 1;
      if (!isElsewhere) violated('I2', `message ${key} is decided twice`);
      return;
    }
    decided.set(key, new Map([[event.namespace, event.type]]));
    if (oracle.unpinned().has(key)) {
      // An unpinned message has no place in any order.
      if (event.type !== 'message_confirmed') violated('I6', `message ${key} has ${event.type}, not confirmed,`);
      return;
    }
    for (const topic of event.topics) {
      const line = lineOf(topic, known?.group);
      const place = places.get(line) ?? 0;
      places.set(line, place + 1);
      const expected = oracle.at(line, place);
      if (expected?.key !== key) {
        violated('I4', `place ${place} of topic "${line}" is ${key}, not ${expected?.key ?? 'empty'},`);
      } else if (`message_${expected.verdict}` !== event.type) {
        violated('I6', `message ${key} has ${event.type}, not ${expected.verdict},`);
      } else if (!expected.isReachable) {
        violated('I13', `message ${key} is decided behind a pin that blocks it`);
      }
    }
  }

  function checkWinner({ reference }: EventFields): void {
    if (
      oracle
        .datatypes()
        .winners()
        .every(({ id }) => id !== reference)
    ) {
      violated('I10', `datatype ${reference}, which has not won, is confirmed`);
    }
  }

  return {
    onCommit(writes) {
      for (const { table, kind, rows } of writes) {
        if (table === 'waits' && rows.some(isWaitForContext)) sometimes('head in one context and blocked in another');
        if (table === 'waits' && rows.some(isWaitForDefinition)) sometimes('message waits for a definition');
        if (table !== 'events' || isSuspended) continue;
        if (kind === 'insert' || kind === 'put') for (const row of rows) if (isEvent(row)) take(row);
      }
    },
    suspend() {
      isSuspended = true;
    },
    resume(events) {
      isSuspended = false;
      places.clear();
      decided.clear();
      visible.length = 0;
      events.forEach(take);
    },
    decidedCount: () => (isSuspended ? -1 : decided.size),
    visibleEvents: () => visible,
  };
}

/** Whether an event is about the verdict on a message, not about an operation that sends it. */
export function isDecision({ type }: Pick<EventFields, 'type'>): boolean {
  return type === 'message_confirmed' || type === 'message_rejected';
}

function isWaitForContext(row: object): boolean {
  return 'on' in row && String(row.on).startsWith('context:');
}

const definitions = `context:${contextOf('svc_ns_default', undefined)}`;

/** Whether a wait is for definitions, or for the datatype of an unpinned message. */
function isWaitForDefinition(row: object): boolean {
  return 'on' in row && (row.on === definitions || String(row.on).startsWith('datatype:'));
}

function isEvent(row: object): row is EventFields {
  return 'referenceHash' in row && 'topics' in row;
}

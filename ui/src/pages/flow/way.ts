import type { Progress, ProgressStep } from '../../../../src/wire/messages/progress.js';
import type { JoinedRecord } from '../../../../src/wire/network/stack-view.js';

/** One station of a message in one lane. */
export interface Station {
  /** Unique on the page, and part of its URL. */
  readonly key: string;
  readonly step: ProgressStep;
  /** Undefined while it has not come to it. */
  readonly time: string | undefined;
  /** Whether it is the next one, for which everything behind it waits. */
  readonly isNext: boolean;
  /** Whether the message was cancelled, so that what has no time never comes. */
  readonly isCancelled: boolean;
  /** From the left. */
  readonly column: number;
  /** More about the step, such as each recipient with its state. */
  readonly info: string | undefined;
}

/** A place that a message passes. */
export interface WayLane {
  readonly key: string;
  readonly title: string;
  readonly kind: 'author' | 'store' | 'private' | 'chain' | 'party';
  /** Whether another party has told it, through the supervisor. */
  readonly isJoined: boolean;
  /** The state of the message at the party; `unknown` when it does not answer, `absent` when it does not have it. */
  readonly state: string | undefined;
  readonly stations: readonly Station[];
}

/** How far a message is at one party. */
interface Standing {
  readonly missing?: ProgressStep | undefined;
  readonly state?: string | undefined;
}

const sharedLanes = {
  accepted: 'author',
  sealed: 'author',
  stored: 'store',
  delivered: 'private',
  pinned: 'chain',
} as const;
const kinds = ['author', 'store', 'private', 'chain'] as const;
const titles = { author: 'Author', store: 'Shared store', private: 'Private channel', chain: 'Chain' } as const;

/** The lanes of a message or batch: those that all parties share, then a lane for each party, this one first. */
export function wayOf(progress: Progress, party: string, joined: JoinedRecord | undefined): readonly WayLane[] {
  const columns = new Map(progress.steps.map(({ step }, index) => [step, index]));
  const stationOf = (
    lane: string,
    { step, time, info }: Progress['steps'][number],
    { missing, state }: Standing,
  ): Station => ({
    key: `${lane}.${step}`,
    step,
    time,
    info,
    isNext: step === missing,
    isCancelled: state === 'cancelled',
    column: columns.get(step) ?? columns.size - 1,
  });
  const lanes: WayLane[] = [];
  for (const kind of kinds) {
    const steps = progress.steps.filter(({ step }) => laneOf(step) === kind);
    if (steps.length === 0) continue;
    const stations = steps.map((step) => stationOf(kind, step, progress));
    lanes.push({ key: kind, title: titles[kind], kind, isJoined: false, state: undefined, stations });
  }
  const ofParty = (name: string, standing: Standing & Pick<Progress, 'steps'>) =>
    standing.steps
      .filter(({ step }) => laneOf(step) === undefined && columns.has(step))
      .map((step) => stationOf(name, step, standing));
  const own = ofParty(party, progress);
  lanes.push({ key: party, title: party, kind: 'party', isJoined: false, state: progress.state, stations: own });
  for (const other of joined?.parties ?? []) {
    if (other.party === party) continue;
    const stations = ofParty(other.party, other);
    const state = other.answer === 'held' ? other.state : other.answer;
    lanes.push({ key: other.party, title: other.party, kind: 'party', isJoined: true, state, stations });
  }
  return lanes;
}

function laneOf(step: ProgressStep): string | undefined {
  const known: Partial<Record<ProgressStep, string>> = sharedLanes;
  return known[step];
}

/** The stations in the order of time, those that are still to come behind them. */
export function inOrder(lanes: readonly WayLane[]): readonly Station[] {
  const all = lanes.flatMap(({ stations }) => stations);
  return all.toSorted((left, right) => {
    if ((left.time === undefined) !== (right.time === undefined)) return left.time === undefined ? 1 : -1;
    if (left.time !== right.time) return (left.time ?? '') < (right.time ?? '') ? -1 : 1;
    return left.column - right.column;
  });
}

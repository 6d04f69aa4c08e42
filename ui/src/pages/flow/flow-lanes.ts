import type { Progress, ProgressStep } from '../../../../src/wire/messages/progress.js';
import type { JoinedRecord } from '../../../../src/wire/network/stack-view.js';

/** One step of a message in one lane. */
export interface FlowStep {
  /** Unique on the page, and part of its URL. */
  readonly key: string;
  readonly step: ProgressStep;
  /** Undefined if the step is not done. */
  readonly time: string | undefined;
  /** Whether it is the first step that is not done. */
  readonly isNext: boolean;
  /** Whether the message was cancelled, so that a step that is not done never will be. */
  readonly isCancelled: boolean;
  /** The column of the chart, from the left. */
  readonly column: number;
  /** More about the step, such as each recipient with its state. */
  readonly info: string | undefined;
}

/** A lane of the chart: the author, the shared store, the private channel, the chain, or a party. */
export interface FlowLane {
  readonly key: string;
  readonly title: string;
  readonly kind: 'author' | 'store' | 'private' | 'chain' | 'party';
  /** Whether its data comes from another party, through the supervisor. */
  readonly isJoined: boolean;
  /** The state of the message at the party; `unknown` if the party does not answer, `absent` if it has no message. */
  readonly state: string | undefined;
  readonly steps: readonly FlowStep[];
}

/** The progress of a message at one party. */
interface PartyProgress {
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

/** The lanes of a message or batch: the shared ones, then one for each party, this party first. */
export function flowLanes(progress: Progress, party: string, joined: JoinedRecord | undefined): readonly FlowLane[] {
  const columns = new Map(progress.steps.map(({ step }, index) => [step, index]));
  const stepOf = (
    lane: string,
    { step, time, info }: Progress['steps'][number],
    { missing, state }: PartyProgress,
  ): FlowStep => ({
    key: `${lane}.${step}`,
    step,
    time,
    info,
    isNext: step === missing,
    isCancelled: state === 'cancelled',
    column: columns.get(step) ?? columns.size - 1,
  });
  const lanes: FlowLane[] = [];
  for (const kind of kinds) {
    const steps = progress.steps
      .filter(({ step }) => laneOf(step) === kind)
      .map((step) => stepOf(kind, step, progress));
    if (steps.length === 0) continue;
    lanes.push({ key: kind, title: titles[kind], kind, isJoined: false, state: undefined, steps });
  }
  const ofParty = (name: string, at: PartyProgress & Pick<Progress, 'steps'>) =>
    at.steps
      .filter(({ step }) => laneOf(step) === undefined && columns.has(step))
      .map((step) => stepOf(name, step, at));
  const own = ofParty(party, progress);
  lanes.push({ key: party, title: party, kind: 'party', isJoined: false, state: progress.state, steps: own });
  for (const other of joined?.parties ?? []) {
    if (other.party === party) continue;
    const steps = ofParty(other.party, other);
    const state = other.answer === 'held' ? other.state : other.answer;
    lanes.push({ key: other.party, title: other.party, kind: 'party', isJoined: true, state, steps });
  }
  return lanes;
}

function laneOf(step: ProgressStep): string | undefined {
  const known: Partial<Record<ProgressStep, string>> = sharedLanes;
  return known[step];
}

/** All steps in order of time, those that are not done last. */
export function stepsInOrder(lanes: readonly FlowLane[]): readonly FlowStep[] {
  const all = lanes.flatMap(({ steps }) => steps);
  return all.toSorted((left, right) => {
    if ((left.time === undefined) !== (right.time === undefined)) return left.time === undefined ? 1 : -1;
    if (left.time !== right.time) return (left.time ?? '') < (right.time ?? '') ? -1 : 1;
    return left.column - right.column;
  });
}

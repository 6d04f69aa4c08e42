import { assert } from '../../domain/invariant.js';
import type { Verdict } from '../../domain/messages/verdict.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit, UnitOptions } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Judge } from '../../ports/judge.js';
import type { Log } from '../../ports/log.js';
import type { Metrics } from '../../ports/metrics.js';
import type { Random } from '../../ports/random.js';
import type { TokenConnector } from '../../ports/token-connector.js';
import { secondsBetween } from '../../wire/time.js';
import type { OwnIdentity } from '../state/identities/own-identity.js';
import { findWaiting, markDue } from '../state/messages/contexts.js';
import type { Bell } from '../bus.js';
import type { Decider } from '../decider.js';
import type { Judging } from '../judging/judging.js';
import type { KnownAnswers } from '../judging/known.js';
import { createUnitJudge } from '../judging/unit-judge.js';
import type { Need } from '../judging/need.js';
import type { Step } from '../loop.js';
import type { Rulebook } from '../state/rulebook.js';
import type { Throttle } from '../throttle.js';
import { decideContexts } from './contexts.js';
import { type Due, endDue, hasRemainders, readDue, readNewestDue, readRemainder } from './due.js';
import { createFactFinder } from './facts.js';
import { type DecidedMessage, type Decisions, recordDecisions } from './record.js';
import { createTypedVerdicts, type TypedVerdicts } from './typed.js';
import { decideUnpinned } from './unpinned.js';

export interface AggregateParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
  readonly judge: Judge;
  readonly known: KnownAnswers;
  readonly judging: Pick<Judging, 'add'>;
  readonly rulebook: Rulebook;
  readonly connectors: ReadonlyMap<string, TokenConnector>;
  readonly throttle: Pick<Throttle, 'run'>;
  readonly log: Log;
}

/** Maximum number of due contexts and unpinned messages decided in one step. */
const maxDue = 64;
/** Maximum number of contexts decided in the unit of another stage, which has other work to do. */
const maxFew = 32;

export interface Aggregate extends Decider {
  readonly step: () => Promise<Step>;
  /** Decides a part of the remainder of a large batch, when the throttle lets it. */
  readonly remainderStep: () => Promise<Step>;
}

/**
 * Creates the stage: due contexts → heads → verdicts → rows, in one transaction. A message is decided once it is the
 * head of all its contexts and its batch and blobs are here. Otherwise a row names what it waits for.
 */
export function createAggregate(parts: AggregateParts): Aggregate {
  const { database, judging, own, clock, metrics, failpoint, throttle, log } = parts;
  const verdicts = createTypedVerdicts();
  /** Whether the last step left due contexts, so that the next one is bulk work. */
  let isBehind = false;

  async function conclude(decisions: Made): Promise<Step> {
    await failpoint.reach('confirm.after-commit');
    countDecisions(metrics, own, decisions.decided, decisions.now);
    logDecisions(log, decisions.decided);
    judging.add(decisions.needs);
    return { hasWorked: !decisions.isLast, rings: ringsOf(decisions) };
  }

  function decideNext(read: typeof readDue, turn: UnitOptions): Promise<Made | undefined> {
    const now = clock.now();
    return database.transaction(async (unit) => {
      const due = await read(unit, maxDue);
      return due === undefined ? undefined : decideDue(unit, due, { ...parts, verdicts, now });
    }, turn);
  }

  return {
    async step() {
      const decisions = await decideNext(readDue, { isBulk: isBehind });
      isBehind = decisions?.isLast === false;
      return decisions === undefined ? nothingDue : conclude(decisions);
    },
    async remainderStep() {
      if (!(await hasRemainders(database))) return nothingDue;
      const decisions = await throttle.run(() => decideNext(readRemainder, { isBulk: true }));
      return decisions === undefined ? nothingDue : conclude(decisions);
    },
    async decideFew(unit) {
      const due = await readNewestDue(unit, maxFew);
      if (due === undefined) return async () => [];
      const decisions = await decideDue(unit, due, { ...parts, verdicts, now: clock.now() });
      return async () => {
        const { hasWorked, rings } = await conclude(decisions);
        return hasWorked ? ['due', ...rings] : rings;
      };
    },
  };
}

const nothingDue: Step = { hasWorked: false, rings: [] };

/** Records each message by its id, by which `stack logs --message` finds it at every party. */
function logDecisions(log: Log, decided: readonly DecidedMessage[]): void {
  for (const { message, batch, verdict } of decided) {
    const fields = { message: message.id, batch: batch?.id, namespace: message.namespace, ...verdict };
    log.debug('A message is decided', fields);
  }
}

interface Made extends Decisions {
  readonly needs: readonly Need[];
  readonly bells: readonly Bell[];
  /** Whether a remainder of a large batch is due. */
  readonly hasRemainder: boolean;
  /** Whether no more contexts of the kind can be decided now. */
  readonly isLast: boolean;
  readonly now: string;
}

async function decideDue(
  unit: Unit,
  due: Due,
  parts: AggregateParts & { readonly verdicts: TypedVerdicts; readonly now: string },
): Promise<Made> {
  const { judge, known, own, random, failpoint, rulebook, now } = parts;
  const rules = await rulebook.find(unit);
  assert(rules !== undefined, 'what is due comes from members, and members after the rules of their network');
  const unitJudge = createUnitJudge(judge, known);
  const facts = createFactFinder(unit, { ...parts, unitJudge, rules });
  const ordered = await decideContexts(unit, due.contexts, facts);
  const unpinned = await decideUnpinned(unit, due.unpinned, facts);
  const made = {
    ...ordered,
    decided: [...ordered.decided, ...unpinned.decided],
    looked: [...ordered.looked, ...unpinned.looked],
    waits: new Map([...ordered.waits, ...unpinned.waits]),
  };
  await recordDecisions(unit, made, { now, random, own, rules, unitJudge });
  const hasRemainder = await endDue(unit, { ...made, batches: due.batches });
  await failpoint.reach('confirm.mid-transaction');
  const isLast = due.isWhole && made.unread.size === 0 && made.released.size === 0;
  return { ...made, needs: unitJudge.needs(), bells: facts.bells(), hasRemainder, isLast, now };
}

function ringsOf(step: {
  readonly decided: readonly DecidedMessage[];
  readonly needs: readonly Need[];
  readonly bells: readonly Bell[];
  readonly hasRemainder: boolean;
}): readonly Bell[] {
  const { decided, needs, bells, hasRemainder } = step;
  return [
    ...(decided.length > 0 ? (['events'] as const) : []),
    ...(needs.length > 0 ? (['judgements'] as const) : []),
    ...(hasRemainder ? (['remainders'] as const) : []),
    ...bells,
  ];
}

function countDecisions(metrics: Metrics, own: OwnIdentity, decided: readonly DecidedMessage[], now: string): void {
  const ours = decided.filter(({ message }) => message.key === own.key);
  const count = (kind: 'broadcast' | 'private', state: Verdict['state']) =>
    ours.filter(
      ({ message, verdict }) => (message.group === null) === (kind === 'broadcast') && verdict.state === state,
    ).length;
  metrics.count('ff_broadcast_confirmed_total', count('broadcast', 'confirmed'));
  metrics.count('ff_broadcast_rejected_total', count('broadcast', 'rejected'));
  metrics.count('ff_private_msg_confirmed_total', count('private', 'confirmed'));
  metrics.count('ff_private_msg_rejected_total', count('private', 'rejected'));
  metrics.count('parley_messages_decided_total', decided.length);
  for (const { message, verdict } of ours) {
    if (verdict.state !== 'confirmed') continue;
    const name = message.group === null ? 'ff_broadcast_histogram' : 'ff_private_msg_histogram';
    metrics.observe(name, secondsBetween(message.created, now));
  }
}

/** Marks all waiting contexts as due; called at start. */
export async function markAllDue(database: Database): Promise<void> {
  await database.transaction(async (unit) => markDue(unit, await findWaiting(unit)));
}

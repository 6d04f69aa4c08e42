import { faultText } from '../../wire/network/faults.js';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { nameStack } from '../errors/named-stack.js';
import { result } from '../terminal/output.js';
import type { PartyNode, CommandContext } from '../requests/target.js';
import { plural, safe } from '../terminal/text.js';
import { absenceOf, type Cause, chainTrouble, isBlocking } from './cause.js';
import { batchCauseAt, causeAt } from './follow.js';
import { type Inspection, maxUndecided } from './inspection.js';
import { memberOf, type PartyView } from './view.js';
import { causeLines, lineOf } from './lines.js';

/** The number of undecided messages of a party, and the cause of the oldest one's delay. */
interface PartyBacklog {
  readonly undecided: number;
  readonly view: PartyView;
}

/**
 * `stack explain` without an id: prints what blocks a stack, even if no message waits for it.
 *
 * @throws CliError UNHEALTHY if the stack is blocked
 */
export async function explainStack(
  inspection: Inspection,
  { output, program }: CommandContext,
  stack?: string,
): Promise<void> {
  const backlogs = await Promise.all(inspection.parties.map((party) => backlogOf(inspection, party)));
  const views = backlogs.map(({ view }) => view);
  const chain = chainTrouble(inspection);
  const obstacles = [
    ...inspection.faults.map((fault) => `${faultText(fault)} (${program} fault clear ${fault.id})`),
    ...(chain === undefined ? [] : [lineOf(chain, program)]),
  ];
  const undecided = backlogs.filter(({ undecided: count }) => count > 0);
  const isBlocked = obstacles.length > 0 || views.some(({ cause }) => isBlocking(cause));
  const state = isBlocked ? 'blocked' : undecided.length > 0 ? 'pending' : 'final';
  if (output.isJson) {
    const parties = backlogs.map((each) => ({ ...memberOf(each.view), undecided: each.undecided }));
    const faults = inspection.faults.map(({ id, ...fault }) => ({ id, text: faultText({ id, ...fault }) }));
    await output.json(textOf(result({ kind: 'stack', state, faults, chain: chain ?? null, parties })));
  } else if (output.isQuiet) await output.line(state);
  else {
    const counts = undecided.map(({ view, undecided: n }) => `  ${view.party}  ${countText(n)} undecided`);
    const lines = [...obstacles.map(safe), ...counts, ...causeLines(views, program)];
    await output.line(
      lines.length === 0
        ? 'Nothing is blocked: every message is decided at every party.'
        : lines.map((line) => nameStack(line, program, stack)).join('\n'),
    );
  }
  if (isBlocked) throw new CliError('UNHEALTHY', 'The stack is blocked.', { isPrinted: true });
}

/** The number of undecided messages, of which at most `maxUndecided` are read. */
function countText(count: number): string {
  return count < maxUndecided ? plural(count, 'message') : `${count} or more messages`;
}

async function backlogOf(inspection: Inspection, party: PartyNode): Promise<PartyBacklog> {
  const away = await absenceOf(inspection, party);
  if (away !== undefined) {
    return { undecided: 0, view: { party: party.name, state: 'away', cause: { ...away, behind: [] } } };
  }
  const undecided = await inspection.undecided(party);
  const [oldest] = undecided;
  const cause = oldest === undefined ? await missingCause(inspection, party) : await causeAt(inspection, party, oldest);
  return { undecided: undecided.length, view: { party: party.name, state: 'works', cause } };
}

/** Why the oldest payload is missing: its messages are unknown at the party, so none of them is undecided there. */
async function missingCause(inspection: Inspection, party: PartyNode): Promise<Cause | undefined> {
  const [oldest] = await inspection.missingBatches(party);
  return oldest === undefined ? undefined : batchCauseAt(inspection, party, oldest);
}

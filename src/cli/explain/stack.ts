import { faultText } from '../../wire/network/faults.js';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { nameStack } from '../errors/named-stack.js';
import { result } from '../terminal/output.js';
import type { PartyNode, CommandContext } from '../requests/target.js';
import { plural, safe } from '../terminal/text.js';
import { absenceOf, chainTrouble, isBlocking } from './cause.js';
import { causeAt } from './follow.js';
import { type Inspection, maxUndecided } from './inspection.js';
import { memberOf, type PartyView } from './view.js';
import { causeLines, lineOf } from './lines.js';

/** The undecided messages of a party, and why the oldest of them waits. */
interface Standing {
  readonly undecided: number;
  readonly view: PartyView;
}

/**
 * `stack explain` without an id: what holds a stack, whether a message waits for it or not.
 *
 * @throws CliError UNHEALTHY when something does
 */
export async function explainStack(
  inspection: Inspection,
  { output, program }: CommandContext,
  stack?: string,
): Promise<void> {
  const standings = await Promise.all(inspection.parties.map((party) => standingOf(inspection, party)));
  const views = standings.map(({ view }) => view);
  const chain = chainTrouble(inspection);
  const set = [
    ...inspection.faults.map((fault) => `${faultText(fault)} (${program} fault clear ${fault.id})`),
    ...(chain === undefined ? [] : [lineOf(chain, program)]),
  ];
  const undecided = standings.filter(({ undecided: count }) => count > 0);
  const isHeld = set.length > 0 || views.some(({ cause }) => isBlocking(cause));
  const state = isHeld ? 'blocked' : undecided.length > 0 ? 'pending' : 'final';
  if (output.isJson) {
    const parties = standings.map((each) => ({ ...memberOf(each.view), undecided: each.undecided }));
    const faults = inspection.faults.map(({ id, ...fault }) => ({ id, text: faultText({ id, ...fault }) }));
    await output.json(textOf(result({ kind: 'stack', state, faults, chain: chain ?? null, parties })));
  } else if (output.isQuiet) await output.line(state);
  else {
    const counts = undecided.map(({ view, undecided: n }) => `  ${view.party}  ${countText(n)} undecided`);
    const lines = [...set.map(safe), ...counts, ...causeLines(views, program)];
    await output.line(
      lines.length === 0
        ? 'Nothing is held up: every message is decided everywhere.'
        : lines.map((line) => nameStack(line, program, stack)).join('\n'),
    );
  }
  if (isHeld) throw new CliError('UNHEALTHY', 'Something holds the stack.', { isSaid: true });
}

/** A number of messages of which no more than `maxUndecided` were read. */
function countText(count: number): string {
  return count < maxUndecided ? plural(count, 'message') : `${count} or more messages`;
}

async function standingOf(inspection: Inspection, party: PartyNode): Promise<Standing> {
  const away = await absenceOf(inspection, party);
  if (away !== undefined) {
    return { undecided: 0, view: { party: party.name, state: 'away', cause: { ...away, behind: [] } } };
  }
  const undecided = await inspection.undecided(party);
  const [oldest] = undecided;
  const cause = oldest === undefined ? undefined : await causeAt(inspection, party, oldest);
  return { undecided: undecided.length, view: { party: party.name, state: 'works', cause } };
}

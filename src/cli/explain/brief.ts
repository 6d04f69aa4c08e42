import { ClientError, UnreachableError } from '../../client/errors.js';
import { StackError } from '../../stack/error.js';
import type { Reasons } from '../messages/sending/send.js';
import { waitingReasons } from '../messages/listing/waiting-reasons.js';
import type { PartyNode, CommandContext, Target } from '../requests/target.js';
import { chainTrouble, isBlocking } from './cause.js';
import { causeAt } from './follow.js';
import { type Inspection, openInspection } from './inspection.js';
import type { PartyView } from './view.js';
import { causeLines, lineOf } from './lines.js';

/**
 * Explains after a timeout why parties have not decided a message: by the root cause where one is found, otherwise by
 * the services that the node waits for.
 */
export async function explainMissing(
  id: string,
  missing: readonly PartyNode[],
  target: Target,
  context: CommandContext,
): Promise<Reasons> {
  const inspection = await unlessRefused(() => openInspection(target, context));
  const known = inspection === undefined ? [] : await knownCauses(inspection, id, missing);
  const others = missing.filter(({ name }) => known.every(({ party }) => party !== name));
  const lines = causeLines(known, context.program).map((line) => line.trim());
  const waiting = await waitingReasons(others, inspection?.status);
  const text = [...lines, waiting].filter((line) => line !== '').join(' · ');
  return { text, causes: known.map(({ party, cause }) => ({ party, cause })) };
}

/**
 * Explains after a timeout why a call is not recorded yet: by the chain, if it takes no calls, and by the services that
 * the party's node waits for. Empty if nothing delays it.
 */
export async function explainUnmined(target: Target, context: CommandContext): Promise<string> {
  const inspection = await unlessRefused(() => openInspection(target, context));
  const chain = inspection && chainTrouble(inspection);
  const waiting = await waitingReasons([target.party], inspection?.status);
  return [chain === undefined ? '' : lineOf(chain, context.program), waiting].filter((line) => line !== '').join(' · ');
}

async function knownCauses(
  inspection: Inspection,
  id: string,
  missing: readonly PartyNode[],
): Promise<readonly PartyView[]> {
  const records = await Promise.all(
    inspection.parties.map((party) => unlessRefused(() => inspection.message(party, id))),
  );
  const message = records.find((record) => typeof record === 'object');
  if (typeof message !== 'object') return [];
  const views = await Promise.all(
    missing.map(async (party): Promise<PartyView> => {
      const cause = await unlessRefused(() => causeAt(inspection, party, message));
      return { party: party.name, state: message.state, cause };
    }),
  );
  return views.filter(({ cause }) => isBlocking(cause));
}

/** Reads a part of the explanation; undefined if that fails, since the timeout must be reported in any case. */
async function unlessRefused<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    // The credential may only permit sending, or the stack may have stopped.
    if (error instanceof ClientError || error instanceof UnreachableError || error instanceof StackError) {
      return undefined;
    }
    throw error;
  }
}

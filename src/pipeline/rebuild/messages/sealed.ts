import type { Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { reopenMessages } from '../../state/messages/reopened.js';
import { sendAgain } from '../../operations/send-again.js';

/** Makes batches that were sealed here wait for their pins again, with their messages. Nonces and payloads stay. */
export async function sealAgain(
  unit: Unit,
  batches: readonly BatchRow[],
  messages: readonly MessageRow[],
): Promise<void> {
  if (batches.length === 0) return;
  // The sending of their files was ended.
  const wereVoid = batches.filter(({ state, type }) => state === 'void' && type === 'private');
  for (const batch of wereVoid) await sendAgain(unit, batch);
  await unit.updateEach(
    'batches',
    'sequence',
    batches.map(({ sequence }) => ({ sequence, state: 'sealed', confirmed: null, reason: null })),
  );
  await reopenMessages(
    unit,
    messages.filter(({ state }) => state !== 'cancelled'),
  );
}

import { endOfBlock } from '../../domain/protocol-id.js';
import { above, every } from '../../ports/tables/where.js';
import { takeBackEvents } from './events.js';
import type { Undoing } from './undoing.js';

const maxEvents = 500;

/** Removes the blockchain events of removed blocks: of pins, pools and listeners. */
export async function undoChainEvents({ database, after, afterUnit }: Undoing): Promise<void> {
  for (;;) {
    const rows = await database.rows(
      'blockchainevents',
      { namespace: every, protocolId: above(endOfBlock(after)) },
      { limit: maxEvents, newestFirst: true },
    );
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('blockchainevents', { sequence: sequences });
      await takeBackEvents(
        unit,
        ['blockchain_event_received'],
        rows.map(({ id }) => id),
      );
    });
    await afterUnit();
  }
}

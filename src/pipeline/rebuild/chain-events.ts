import { endOfBlock } from '../../domain/protocol-id.js';
import { everyNamespace } from '../../ports/database.js';
import { among } from '../../wire/lists/query.js';
import { takeBackEvents } from './events.js';
import type { Undoing } from './undoing.js';

const maxEvents = 500;

/** Takes back the blockchain events of later blocks: of pins, pools and listeners. */
export async function undoChainEvents({ database, after, afterUnit }: Undoing): Promise<void> {
  const where = [{ field: 'protocolId', is: 'above', value: endOfBlock(after) } as const];
  const sort = [{ field: 'sequence', descending: true }];
  for (;;) {
    const rows = await database.find('blockchainevents', { namespace: everyNamespace, where, sort, limit: maxEvents });
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('blockchainevents', { namespace: everyNamespace, where: [among('sequence', sequences)] });
      await takeBackEvents(
        unit,
        ['blockchain_event_received'],
        rows.map(({ id }) => id),
      );
    });
    await afterUnit();
  }
}

import { above } from '../../ports/tables/where.js';
import { takeBackEvents } from './events.js';
import type { Undoing } from './undoing.js';

const maxIdentities = 1_000;

/** Removes the identities of removed blocks, with their keys. */
export async function undoMembers({ database, after, afterUnit }: Undoing): Promise<void> {
  for (;;) {
    const rows = await database.rows('identities', { block: above(after) }, { limit: maxIdentities });
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const dids = rows.map(({ did }) => did);
      await unit.remove('identities', { did: dids });
      await unit.remove('keys', { identity: dids });
      await takeBackEvents(
        unit,
        ['identity_confirmed'],
        rows.map(({ id }) => id),
      );
    });
    await afterUnit();
  }
}

import { everyNamespace } from '../../ports/database.js';
import { among, oldestFirst } from '../../wire/lists/query.js';
import { takeBackEvents } from './events.js';
import type { Undoing } from './undoing.js';

const maxIdentities = 1_000;

/** Takes back the identities of later blocks, with their keys. */
export async function undoMembers({ database, after, afterUnit }: Undoing): Promise<void> {
  const where = [{ field: 'block', is: 'above', value: after } as const];
  const page = { namespace: everyNamespace, where, sort: oldestFirst, limit: maxIdentities } as const;
  for (;;) {
    const rows = await database.find('identities', page);
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const dids = rows.map(({ did }) => did);
      await unit.remove('identities', { namespace: everyNamespace, where: [among('did', dids)] });
      await unit.remove('keys', { namespace: everyNamespace, where: [among('identity', dids)] });
      await takeBackEvents(
        unit,
        ['identity_confirmed'],
        rows.map(({ id }) => id),
      );
    });
    await afterUnit();
  }
}

import { above, every } from '../../../ports/tables/where.js';
import { takeBackEvents } from '../events.js';
import type { Undoing } from '../undoing.js';
import { dropForeignTransactions } from '../transactions.js';

const maxApprovals = 200;

/** Removes the approvals of removed blocks; the newest remaining one of each subject is active again. */
export async function undoApprovals({ database, after, afterUnit }: Undoing): Promise<void> {
  for (;;) {
    const rows = await database.rows(
      'approvals',
      { namespace: every, block: above(after) },
      { limit: maxApprovals, newestFirst: true },
    );
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('approvals', { sequence: sequences });
      await takeBackEvents(
        unit,
        ['token_approval_confirmed'],
        rows.map(({ localId }) => localId),
      );
      await dropForeignTransactions(
        unit,
        rows.flatMap(({ txid }) => txid ?? []),
      );
      const subjects = new Map(rows.map((row) => [`${row.namespace}/${row.pool}/${row.subject}`, row]));
      for (const { namespace, pool, subject } of subjects.values()) {
        const last = await unit.last('approvals', { namespace, pool, subject });
        if (last === undefined) continue;
        await unit.updateEach('approvals', 'sequence', [{ sequence: last.sequence, active: true }]);
      }
    });
    await afterUnit();
  }
}

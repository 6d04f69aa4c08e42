import { everyNamespace } from '../../../ports/database.js';
import { among, equal } from '../../../wire/lists/query.js';
import { takeBackEvents } from '../events.js';
import type { Undoing } from '../undoing.js';
import { dropForeignTransactions } from '../transactions.js';

const maxApprovals = 200;
const newestFirst = [{ field: 'sequence', descending: true }];

/** Takes back the approvals of later blocks; the newest that is left of each subject is active again. */
export async function undoApprovals({ database, after, afterUnit }: Undoing): Promise<void> {
  const where = [{ field: 'block', is: 'above', value: after } as const];
  const page = { namespace: everyNamespace, where, sort: newestFirst, limit: maxApprovals } as const;
  for (;;) {
    const rows = await database.find('approvals', page);
    if (rows.length === 0) return;
    await database.transaction(async (unit) => {
      const sequences = rows.map(({ sequence }) => sequence);
      await unit.remove('approvals', { namespace: everyNamespace, where: [among('sequence', sequences)] });
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
        const same = [equal('pool', pool), equal('subject', subject)];
        const [last] = await unit.find('approvals', { namespace, where: same, sort: newestFirst, limit: 1 });
        if (last === undefined) continue;
        await unit.updateEach('approvals', 'sequence', [{ sequence: last.sequence, active: true }]);
      }
    });
    await afterUnit();
  }
}

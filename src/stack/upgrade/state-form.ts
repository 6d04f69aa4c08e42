import { join } from 'node:path';
import { databaseForm } from '../../ports/database-form.js';
import { exists, namesIn } from '../../supervisor/machine/directory.js';
import { StackError } from '../error.js';
import { inspectDatabases } from '../engines/external-database.js';
import { loadSqlite } from '../engines/sqlite.js';
import type { Stack } from '../places/locate.js';
import { readForm } from '../snapshot/database.js';

/** The forms of the parties' databases. */
export type Forms = Readonly<Record<string, number>>;

/**
 * The form of each party's database; a party without one, or with a file that cannot be read, is left out.
 *
 * @throws StackError as `loadSqlite` and `inspectDatabases`
 */
export async function readForms({ layout, settings }: Pick<Stack, 'layout' | 'settings'>): Promise<Forms> {
  // Without the driver, every database would look damaged.
  await loadSqlite();
  const nodes = join(layout.data, 'nodes');
  const forms: Record<string, number> = {};
  for (const party of await namesIn(nodes)) {
    const file = join(nodes, party, 'db.sqlite3');
    // The node itself reports a damaged database.
    const form = (await exists(file)) ? await readForm(file).catch(() => 0) : 0;
    if (form > 0) forms[party] = form;
  }
  for (const { party, form } of await inspectDatabases(settings)) if (form > 0) forms[party] = form;
  return forms;
}

/**
 * Refuses a state that a start cannot use without a migration.
 *
 * @throws StackError STATE_NEWER; STATE_OLDER unless `mayBeOlder`; as `readForms`
 */
export async function requireOwnForm(
  stack: Stack,
  { mayBeOlder = false }: { readonly mayBeOlder?: boolean } = {},
): Promise<void> {
  const { name } = stack;
  const forms = await readForms(stack);
  const values = Object.values(forms);
  const [oldest, newest] = [Math.min(databaseForm, ...values), Math.max(databaseForm, ...values)];
  const details = { forms, databaseForm };
  if (newest > databaseForm) {
    const text = `A newer version wrote the state of ${name}: form ${newest}; this version knows ${databaseForm}.`;
    const hint = `Use that version, or restore an older snapshot: stack snapshot list -s ${name}`;
    throw new StackError('STATE_NEWER', text, { hint, details });
  }
  if (oldest < databaseForm && !mayBeOlder) {
    const text = `The state of ${name} is of an older version: form ${oldest}; this version writes ${databaseForm}.`;
    const hint = `Save a snapshot and upgrade the state: stack upgrade ${name}`;
    throw new StackError('STATE_OLDER', text, { hint, details });
  }
}

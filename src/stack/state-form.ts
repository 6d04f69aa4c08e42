import { join } from 'node:path';
import { databaseForm } from '../ports/database-form.js';
import { exists, namesIn } from '../supervisor/directory.js';
import { StackError } from './error.js';
import type { Layout } from './layout.js';
import type { LocatedStack } from './locate.js';
import { readForm } from './snapshot/database.js';

/** The forms of the parties' databases. */
export type Forms = Readonly<Record<string, number>>;

/** The form of each party's database; a party without one, or with one that cannot be read, is left out. */
export async function readForms(layout: Layout): Promise<Forms> {
  const nodes = join(layout.data, 'nodes');
  const forms: Record<string, number> = {};
  for (const party of await namesIn(nodes)) {
    const file = join(nodes, party, 'db.sqlite3');
    // The node itself says what is wrong with a file that is no sound database.
    const form = (await exists(file)) ? await readForm(file).catch(() => 0) : 0;
    if (form > 0) forms[party] = form;
  }
  return forms;
}

/**
 * Refuses a state that a start could not use as it is.
 *
 * @throws StackError STATE_NEWER; STATE_OLDER unless `mayBeOlder`
 */
export async function requireOwnForm(
  { layout, name }: LocatedStack,
  { mayBeOlder = false }: { readonly mayBeOlder?: boolean } = {},
): Promise<void> {
  const forms = await readForms(layout);
  const values = Object.values(forms);
  const [oldest, newest] = [Math.min(databaseForm, ...values), Math.max(databaseForm, ...values)];
  const details = { forms, databaseForm };
  if (newest > databaseForm) {
    const text = `A newer version wrote the state of ${name}: form ${newest}, and this one knows ${databaseForm}.`;
    const hint = `Use that version, or go back to what was before it: stack snapshot list -s ${name}`;
    throw new StackError('STATE_NEWER', text, { hint, details });
  }
  if (oldest < databaseForm && !mayBeOlder) {
    const text = `The state of ${name} is of an older version: form ${oldest}, and this one writes ${databaseForm}.`;
    const hint = `Save a snapshot of it and bring it to this version: stack upgrade ${name}`;
    throw new StackError('STATE_OLDER', text, { hint, details });
  }
}

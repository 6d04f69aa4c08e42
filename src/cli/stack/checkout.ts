import { createStack } from '../../stack/create.js';
import type { Place } from '../../stack/layout.js';
import { findNewProject, loadStack, type Stack } from '../../stack/locate.js';
import type { Surroundings } from '../target.js';

/**
 * The stack of a `stack.yaml` that came with a checkout: its keys and its place among the stacks of this user are made
 * here, since nothing else of it is missing. Undefined where another stack is meant, or it has been made before.
 */
export async function findCheckedOut(
  place: Place,
  words: { readonly stack?: string | undefined; readonly name?: string | undefined },
  { environment, output }: Surroundings,
): Promise<Stack | undefined> {
  const given = words.stack ?? words.name ?? (environment['STACK_NAME'] || undefined);
  const project = await findNewProject(place, { given, workingDirectory: process.cwd() });
  if (project === undefined) return undefined;
  const { directory: workingDirectory, name } = project;
  const created = await createStack(place, { name, here: true, ifMissing: true, workingDirectory });
  await output.note(`Made keys and ports for ${created.name}, which ${created.configPath} defines.`);
  return loadStack(place, created.name);
}

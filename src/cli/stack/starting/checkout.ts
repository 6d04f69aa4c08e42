import { createStack } from '../../../stack/create.js';
import type { Place } from '../../../stack/layout.js';
import { findNewProject, loadStack, lostStacks, type Stack } from '../../../stack/places/locate.js';
import type { CommandContext } from '../../requests/target.js';
import { safe } from '../../terminal/text.js';

/**
 * Sets up the stack of a `stack.yaml` in a checkout: creates its keys and registers it for this user. Undefined if
 * another stack is selected, or the stack is already set up.
 */
export async function findCheckedOut(
  place: Place,
  flags: { readonly stack?: string | undefined; readonly name?: string | undefined },
  { environment, output, program }: CommandContext,
): Promise<Stack | undefined> {
  const given = flags.stack ?? flags.name ?? (environment['STACK_NAME'] || undefined);
  const project = await findNewProject(place, { given, workingDirectory: () => process.cwd() });
  if (project === undefined) return undefined;
  const { directory: workingDirectory, name } = project;
  const created = await createStack(place, { name, here: true, ifMissing: true, workingDirectory });
  await output.note(`Created keys and ports for ${created.name}, which ${created.configPath} defines.`);
  for (const lost of await lostStacks(place)) {
    await output.note(
      `This is a new stack. If this is the project of ${lost.name}, move it back to ${safe(lost.project)} to use ` +
        `${lost.name} again, or remove ${lost.name}: ${program} remove ${lost.name}`,
    );
  }
  return loadStack(place, created.name);
}

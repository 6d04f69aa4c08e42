import { existsSync } from 'node:fs';
import { quote } from '../../client/curl.js';
import { readUserDefaults } from '../../stack/definition/user-file.js';
import { readStackFile } from '../../stack/definition/stack-file.js';
import type { Place } from '../../stack/layout.js';
import { locatedAs } from '../../stack/places/locate.js';
import { readRegistry } from '../../stack/places/registry.js';
import { failureOf } from '../errors/failure.js';
import type { Check } from './machine.js';

const name = 'settings';

/** Checks the user's `config.yaml` and the definition of every stack. An invalid `config.yaml` breaks most commands. */
export async function checkSettings(place: Place, program: string): Promise<readonly Check[]> {
  const [ofUser, ofStacks] = await Promise.all([
    problemOf(() => readUserDefaults(place), program),
    checkDefinitions(place, program),
  ]);
  const remedy = `Correct it: ${program} config validate ${quote(place.configFile)}`;
  const found: readonly Check[] = [
    ...(ofUser === undefined ? [] : [{ name, state: 'fail' as const, text: ofUser, remedy }]),
    ...ofStacks,
  ];
  return found.length > 0 ? found : [{ name, state: 'ok', text: 'config.yaml and every stack.yaml are valid' }];
}

/** Checks the definition of every stack that has a directory; others are reported as stale. */
async function checkDefinitions(place: Place, program: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  // Another check reports a damaged registry.
  const registry = await readRegistry(place).catch(() => ({}));
  for (const [stack, entry] of Object.entries(registry)) {
    const { definitionFile } = locatedAs(place, stack, entry);
    const text = existsSync(entry.directory)
      ? await problemOf(() => readStackFile(definitionFile), program)
      : undefined;
    if (text === undefined) continue;
    checks.push({ name, state: 'warn', text, remedy: `Correct it: ${program} config validate -s ${stack}` });
  }
  return checks;
}

async function problemOf(read: () => Promise<unknown>, program: string): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    return failureOf(error, program).message;
  }
}

import { existsSync } from 'node:fs';
import { placeFrom } from '../stack/layout.js';
import type { Environment } from './terminal/output.js';

/** Commands that must work with an invalid `config.yaml`: they show it, repair it, or clean up. */
const tolerantCommands: readonly string[] = [
  'config',
  'help',
  'version',
  'autocomplete',
  'doctor',
  'dump',
  'stop',
  'down',
  'remove',
  'rm',
  '__complete',
  '--help',
  '-h',
  '--version',
  '',
];

/**
 * The variables set by the user's `config.yaml`.
 *
 * @throws StackError STACK_FILE_INVALID, except for help and `tolerantCommands`
 */
export async function userEnvironment(environment: Environment, argv: readonly string[]): Promise<Environment> {
  const place = placeFrom(environment);
  if (!existsSync(place.configFile)) return {};
  const { readUserDefaults } = await import('../stack/definition/user-file.js');
  try {
    const { namespace, color, input } = await readUserDefaults(place);
    return {
      STACK_NS: namespace,
      NO_COLOR: color === false ? '1' : undefined,
      STACK_NO_INPUT: input === false ? '1' : undefined,
    };
  } catch (error) {
    if (tolerantCommands.includes(argv[0] ?? '') || argv.includes('--help') || argv.includes('-h')) return {};
    throw error;
  }
}

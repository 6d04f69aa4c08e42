import { CliError } from './errors/exit.js';

/** Commands that this version does not have, by their purpose. */
const laterCommands: Readonly<Record<string, string>> = {
  'node rebuild': 'External chains, after whose reorganisations a node is rebuilt, are',
};

/** The refusal of a command that is not available yet; undefined for all others. */
export function laterCommand(typed: readonly string[]): CliError | undefined {
  const line = `${typed.join(' ')} `;
  const found = Object.entries(laterCommands).find(([name]) => line.startsWith(`${name} `));
  if (found === undefined) return undefined;
  const [name, what] = found;
  return new CliError('USAGE', `${name} is not known to this version: ${what} not available yet.`);
}

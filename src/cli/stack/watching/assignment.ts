import { quote } from '../../../client/curl.js';
import type { environmentFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';

type Format = Exclude<FlagsOf<typeof environmentFlags>['format'], 'json'>;

/** Formats the assignment of a variable, quoted as the reader of the format requires. */
export function assignment(format: Format, name: string, value: string): string {
  switch (format) {
    case 'fish':
      return `set -gx ${name} ${quote(value)};`;
    case 'powershell':
      return `$Env:${name} = '${value.replaceAll("'", "''")}'`;
    case 'shell':
      return `export ${name}=${quote(value)}`;
    case 'dotenv':
      return `${name}=${dotenvValue(value)}`;
    // GitHub takes everything after the = as the value.
    case 'github':
      return `${name}=${value}`;
  }
}

/** Quotes a value for a .env file where needed. In single quotes nothing is special, so they are preferred. */
function dotenvValue(value: string): string {
  if (/^[\w@%+=:,./~-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replaceAll(/[\\"$`]/g, String.raw`\$&`)}"`;
}

import { CliError } from '../errors/exit.js';

export interface DatatypeName {
  readonly name: string;
  readonly version: string;
}

/** Parses `widget@1.0.0`. @throws CliError USAGE if it has no version */
export function datatypeName(text: string): DatatypeName {
  const found = parseDatatypeName(text);
  if (found.version !== undefined) return { name: found.name, version: found.version };
  throw new CliError('USAGE', `A datatype must be like name@version, not "${text}".`);
}

/** Parses `widget` or `widget@1.0.0`. @throws CliError USAGE */
export function parseDatatypeName(text: string): { readonly name: string; readonly version: string | undefined } {
  const [, name = '', version] = /^([^@]+)(?:@([^@]+))?$/.exec(text) ?? [];
  if (name !== '') return { name, version };
  throw new CliError('USAGE', `A datatype must be like name@version, not "${text}".`);
}

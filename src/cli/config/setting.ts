import type { Setting } from '../../stack/definition/render.js';
import { CliError } from '../errors/exit.js';

/** Parses a setting in `dotted.path=value`; `what` is the flag or argument it was given as. @throws CliError USAGE */
export function readSetting(text: string, what: string): Setting {
  const [, path = '', value = ''] = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(text) ?? [];
  if (path === '')
    throw new CliError('USAGE', `${what} must be like logs.level=debug, not "${text}".`, {
      hint: 'Key and value are one word, with = between them.',
    });
  return { path: path.split('.'), value };
}

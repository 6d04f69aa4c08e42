import { quote } from '../../../../src/client/curl.js';
import { type ActionTarget, option, targetWords } from '../../actions/action-texts.js';
import { parameterOf } from '../../api/filter.js';

/**
 * The command that follows the same events in a terminal. Undefined if there is none: a filter has no flag, or two
 * filters have the same one.
 */
export function tailCommand(filters: readonly string[], target: ActionTarget): string | undefined {
  const parameters = filters.map(parameterOf).filter((each) => each !== undefined);
  const names = parameters.map(([name]) => name);
  if (names.some((name) => !flags.has(name)) || new Set(names).size < names.length) return undefined;
  const words = parameters.flatMap(([name, expression]) => option(flags.get(name) ?? '', expression));
  return ['stack', 'events', 'tail', ...words, ...targetWords(target)].map(quote).join(' ');
}

const flags: ReadonlyMap<string, string> = new Map([
  ['events', '--type'],
  ['message.tag', '--tag'],
  ['message.author', '--author'],
  ['message.topics', '--topic'],
  ['message.group', '--group'],
]);

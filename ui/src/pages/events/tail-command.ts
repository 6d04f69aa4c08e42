import { quote } from '../../../../src/client/curl.js';
import { type ActionTarget, option, targetFlags } from '../../actions/action-texts.js';
import { parameterOf } from '../../api/filter.js';

/** The `stack events tail` command with the same filters; undefined if a filter has no flag, or two share one. */
export function tailCommand(filters: readonly string[], target: ActionTarget): string | undefined {
  const parameters = filters.map(parameterOf).filter((each) => each !== undefined);
  const names = parameters.map(([name]) => name);
  if (names.some((name) => !flags.has(name)) || new Set(names).size < names.length) return undefined;
  const words = parameters.flatMap(([name, expression]) => option(flags.get(name) ?? '', expression));
  return ['stack', 'events', 'tail', ...words, ...targetFlags(target)].map(quote).join(' ');
}

const flags: ReadonlyMap<string, string> = new Map([
  ['events', '--type'],
  ['message.tag', '--tag'],
  ['message.author', '--author'],
  ['message.topics', '--topic'],
  ['message.group', '--group'],
]);

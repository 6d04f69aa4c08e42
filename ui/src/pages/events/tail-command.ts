import { quote } from '../../../../src/client/curl.js';
import { parameterOf } from '../../api/filter.js';

/** The command that follows the same events in a terminal. */
export function tailCommand(filters: readonly string[]): string {
  const words = filters.flatMap((filter) => {
    const [name, expression] = parameterOf(filter) ?? [];
    const flag = flags[name ?? ''];
    return flag === undefined || expression === undefined ? [] : [flag, quote(expression)];
  });
  return ['stack events tail', ...words].join(' ');
}

const flags: Readonly<Record<string, string>> = {
  events: '--type',
  'message.tag': '--tag',
  'message.author': '--author',
  'message.topics': '--topic',
  'message.group': '--group',
};

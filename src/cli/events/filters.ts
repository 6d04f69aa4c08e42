import type { FlagsOf } from '../flag-types.js';
import type { followFlags } from '../flags.js';
import { compileFilter } from '../../domain/events/filter.js';
import { eventTypes } from '../../wire/events/event.js';
import { nearestHint } from '../../wire/lists/query.js';
import { CliError } from '../errors/exit.js';

/** The event filters of the command line: regular expressions (RE2), not anchored. */
type FilterFlags = Pick<FlagsOf<typeof followFlags>, 'type' | 'tag' | 'topic' | 'author' | 'group'>;

/** Expressions by the node's key (docs/api.md §14.2). */
export type EventFilters = Readonly<Record<string, string>>;

/**
 * Converts the typed filters to the node's keys.
 *
 * @throws ServiceError bad_filter
 */
export function eventFilters({ type, tag, topic, author, group }: FilterFlags): EventFilters {
  const typed = {
    events: type,
    'message.tag': tag,
    'message.topics': topic,
    'message.author': author,
    'message.group': group,
  };
  const given = Object.entries(typed).flatMap(([key, text]): readonly (readonly [string, string])[] =>
    text === undefined || text === '' ? [] : [[key, text]],
  );
  compileFilter(new Map(given));
  return Object.fromEntries(given);
}

/** Converts filters to the form of a subscription record, with message filters in a nested object. */
export function nestedFilters(filters: EventFilters): Readonly<Record<string, unknown>> {
  const { events, ...others } = filters;
  const message = Object.fromEntries(
    Object.entries(others).map(([key, text]) => [key.replace(/^message\./, ''), text]),
  );
  return {
    ...(events === undefined ? {} : { events }),
    ...(Object.keys(message).length === 0 ? {} : { message }),
  };
}

/**
 * Checks that an expression matches a known type of event, since a mistyped one would wait forever.
 *
 * @throws CliError USAGE
 */
export function requireEventType(expression: string | undefined, flag: string): void {
  if (expression === undefined || eventTypes.some((type) => isMatch(expression, type))) return;
  const word = expression.replaceAll(/[^a-z_]/g, '');
  const typed = expression.replace(/^\^(\w*)\$$/, '$1');
  throw new CliError('USAGE', `${flag}: no type of event matches "${typed}"${nearestHint(word, eventTypes)}`);
}

/** True also for an expression that is valid only in RE2, which the node checks. */
function isMatch(expression: string, type: string): boolean {
  try {
    return new RegExp(expression).test(type);
  } catch {
    return true;
  }
}

import type { Event } from '../../../../src/wire/events/event-record.js';
import { parameterOf } from '../../api/filter.js';

type Read = (event: Event) => readonly (string | undefined)[];

/** The texts of an event for a filter, by the field names of subscriptions. */
const reads: Readonly<Record<string, Read>> = {
  events: ({ type }) => [type],
  topics: ({ topic }) => [topic],
  'message.tag': ({ message }) => [message?.header.tag],
  'message.author': ({ message }) => [message?.header.author],
  'message.group': ({ message }) => [message?.header.group],
  'message.topics': ({ message }) => message?.header.topics ?? [],
  'transaction.type': ({ transaction }) => [transaction?.type],
  'blockchainevent.name': ({ blockchainEvent }) => [blockchainEvent?.name],
  'blockchainevent.listener': ({ blockchainEvent }) => [blockchainEvent?.listener],
};

export const eventFields = Object.keys(reads);
/** Regular expressions of the browser can take long over a long text; nothing longer is searched. */
const maxSearched = 1_024;

/** Why events cannot be filtered like this; undefined when they can. */
export function judgeEventFilter(filter: string): string | undefined {
  const [name, expression] = parameterOf(filter) ?? [];
  if (name === undefined || expression === undefined) return 'Write a filter as field=regular expression.';
  if (!Object.hasOwn(reads, name)) return `There is no field "${name}". There are: ${eventFields.join(', ')}.`;
  return expressionOf(expression) === undefined ? `"${expression}" is no regular expression.` : undefined;
}

/** Whether an event passes all filters; those that mean nothing let everything pass. */
export function passes(filters: readonly string[]): (event: Event) => boolean {
  const tests = filters.flatMap((filter) => {
    const [name = '', text = ''] = parameterOf(filter) ?? [];
    const [read, expression] = [Object.hasOwn(reads, name) ? reads[name] : undefined, expressionOf(text)];
    if (read === undefined || expression === undefined) return [];
    return [(event: Event) => read(event).some((each) => expression.test((each ?? '').slice(0, maxSearched)))];
  });
  return (event) => tests.every((test) => test(event));
}

/** Expressions of nodes (RE2) may begin with their flags, such as `(?i)`; those of browsers have them elsewhere. */
const leadingFlags = /^\(\?([ims]+)\)/;

function expressionOf(text: string): RegExp | undefined {
  const [prefix = '', flags = ''] = leadingFlags.exec(text) ?? [];
  try {
    return new RegExp(text.slice(prefix.length), flags);
  } catch {
    return undefined;
  }
}

import type { ListFlags } from '../../requests/list.js';
import type { messageListFlags } from './flags.js';
import type { FlagsOf } from '../../flag-types.js';
import type { Parameters } from '../../../client/page.js';
import { nearestHint } from '../../../wire/lists/query.js';
import { messageTypes } from '../../../wire/messages/message.js';
import { CliError } from '../../errors/exit.js';
import { timeWord } from '../../terminal/time-word.js';

export type MessageFilterFlags = Omit<FlagsOf<typeof messageListFlags>, keyof ListFlags>;

/**
 * Converts the flags of `messages list` to parameters of the node; values may begin with its operators.
 *
 * @throws CliError USAGE
 */
export function messageParameters(flags: MessageFilterFlags, nowMs: number): Parameters {
  const { tag, topic, type, author, group, since } = flags;
  const one = (name: string, value: string | undefined) => (value === undefined ? [] : [[name, value] as const]);
  return [
    ...(flags.pending ? one('pending', 'true') : flags.confirmed ? one('pending', 'false') : []),
    ...one('tag', tag),
    ...one('topics', topic),
    ...one('type', type === undefined ? undefined : knownType(type)),
    ...(author === undefined ? [] : authorParameters(author)),
    ...one('group', group === undefined || group.length === 64 ? group : prefixOf(group)),
    ...one('created', since === undefined ? undefined : `[>=${timeWord(since, '--since', nowMs)}`),
    ...one('data', flags['with-data'] ? 'true' : undefined),
  ];
}

/**
 * Checks a type without a filter operator, since the list of a mistyped one would be empty.
 *
 * @throws CliError USAGE
 */
function knownType(type: string): string {
  if (!/^\w+$/.test(type) || messageTypes.some((known) => known === type)) return type;
  throw new CliError('USAGE', `--type: unknown type of message "${type}"${nearestHint(type, messageTypes)}`);
}

/** A name may be that of an organisation or a custom identity; both are queried. */
function authorParameters(author: string): Parameters {
  if (/^0x[0-9a-f]{40}$/i.test(author)) return [['key', author.toLowerCase()]];
  if (!/^[\w.-]+$/.test(author)) return [['author', author]];
  return [
    ['author', `did:parley:org/${author}`],
    ['author', `did:parley:${author}`],
  ];
}

function prefixOf(hash: string): string {
  return /^[0-9a-f]+$/i.test(hash) ? `^${hash.toLowerCase()}` : hash;
}

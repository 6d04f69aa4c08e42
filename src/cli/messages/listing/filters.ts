import type { Parameters } from '../../../client/page.js';
import { timeWord } from '../../terminal/time-word.js';

export interface MessageFilterWords {
  readonly pending: boolean;
  readonly confirmed: boolean;
  readonly tag?: string | undefined;
  readonly topic?: string | undefined;
  readonly type?: string | undefined;
  readonly author?: string | undefined;
  readonly group?: string | undefined;
  readonly since?: string | undefined;
  readonly 'with-data': boolean;
}

/**
 * Converts the flags of `messages list` to parameters of the node; values may begin with its operators.
 *
 * @throws CliError USAGE
 */
export function messageParameters(words: MessageFilterWords, nowMs: number): Parameters {
  const { tag, topic, type, author, group, since } = words;
  const one = (name: string, value: string | undefined) => (value === undefined ? [] : [[name, value] as const]);
  return [
    ...(words.pending ? one('pending', 'true') : words.confirmed ? one('pending', 'false') : []),
    ...one('tag', tag),
    ...one('topics', topic),
    ...one('type', type),
    ...(author === undefined ? [] : authorParameters(author)),
    ...one('group', group === undefined || group.length === 64 ? group : prefixOf(group)),
    ...one('created', since === undefined ? undefined : `[>=${timeWord(since, '--since', nowMs)}`),
    ...one('data', words['with-data'] ? 'true' : undefined),
  ];
}

/** A bare name may be an organisation's or a custom identity's; both are queried. */
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

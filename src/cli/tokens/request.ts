import { textOf } from '../../wire/json/json.js';
import type { TransferRequest } from '../../wire/token.js';
import { buildRequest, type RequestItem } from '../messages/sending/request.js';
import { hasMessage, messageRecipients, type TokenVerb, type TokenFlags } from './token-flags.js';

export const tokenRoutes = {
  mint: 'mintTokens',
  transfer: 'transferTokens',
  burn: 'burnTokens',
} as const satisfies Record<TokenVerb, string>;

/**
 * Builds the body of a mint, transfer or burn. Amounts and indexes are sent as text, to keep all digits. `named`
 * converts names of parties for the node.
 *
 * @throws CliError USAGE for a message that is not valid JSON
 */
export function tokenRequest(
  flags: TokenFlags,
  items: readonly RequestItem[],
  named: (word: string) => string,
): TransferRequest {
  const { amount, pool, to, from, uri, key, idempotent, 'token-index': index } = flags;
  return {
    amount: textOf(amount),
    ...(pool === undefined ? {} : { pool }),
    ...(index === undefined ? {} : { tokenIndex: textOf(index) }),
    ...(uri === undefined ? {} : { uri }),
    ...(key === undefined ? {} : { key }),
    ...(from === undefined ? {} : { from: named(from) }),
    ...(to === undefined ? {} : { to: named(to) }),
    ...(hasMessage(flags) ? { message: messageOf(flags, items, named) } : {}),
    ...(idempotent === undefined ? {} : { idempotencyKey: idempotent }),
  };
}

function messageOf(flags: TokenFlags, items: readonly RequestItem[], named: (word: string) => string) {
  const to = messageRecipients(flags).map(named);
  const request = buildRequest(
    {
      items,
      tag: flags.tag,
      topics: flags.topic ?? [],
      recipients: undefined,
      isExpanding: false,
      datatype: undefined,
      author: undefined,
      key: undefined,
      idempotencyKey: undefined,
    },
    1,
  );
  if (to.length === 0) return request;
  const { header, ...rest } = request;
  const group = { members: to.map((identity) => ({ identity })) };
  return { ...rest, header: { type: 'transfer_private', ...header }, group };
}

import { type Action } from '../../../actions/action.js';
import { type AttachedMessage, judgeMessage, messageText, messageFlags } from '../../../actions/attached-message.js';
import { given, objectText } from '../../../actions/body-text.js';
import type { Problems } from '../../../actions/problems.js';
import { option } from '../../../actions/action-texts.js';
import { textOf } from '../../../../../src/wire/json/json.js';

export type Verb = 'mint' | 'transfer' | 'burn';

/** The input for a token operation. Empty fields are not sent. */
export interface OperationFields extends AttachedMessage {
  readonly pool: string;
  readonly amount: string;
  readonly to: string;
  readonly from: string;
  readonly tokenIndex: string;
  readonly uri: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

export interface ApprovalFields extends AttachedMessage {
  readonly pool: string;
  readonly operator: string;
  readonly approved: string;
  readonly key: string;
  readonly idempotencyKey: string;
}

const routes = {
  mint: { path: 'tokens/mint', sdk: 'mintTokens' },
  transfer: { path: 'tokens/transfers', sdk: 'transferTokens' },
  burn: { path: 'tokens/burn', sdk: 'burnTokens' },
} as const;

/** The problems of the input, by field. */
export function judgeOperation(
  verb: Verb,
  fields: OperationFields,
  isNonFungible: boolean,
): Problems<keyof OperationFields> {
  return {
    ...(fields.pool === '' && { pool: 'Select a pool.' }),
    ...(!/^\d{1,78}$/.test(fields.amount) && { amount: 'Enter a whole number: digits only.' }),
    ...(verb === 'transfer' && fields.to === '' && { to: 'Enter a recipient.' }),
    ...(isNonFungible &&
      verb !== 'mint' &&
      !/^\d{1,78}$/.test(fields.tokenIndex) && { tokenIndex: 'Enter the index of a token.' }),
    ...judgeMessage(fields),
  };
}

/** The request of a mint, transfer or burn. */
export function operationAction(verb: Verb, fields: OperationFields): Action {
  const { pool, amount, to, from, tokenIndex, uri, key, idempotencyKey } = fields;
  const { path, sdk } = routes[verb];
  const body = objectText([
    ['pool', textOf(pool)],
    ['amount', textOf(amount)],
    ['to', verb === 'burn' ? undefined : given(to)],
    ['from', verb === 'mint' ? undefined : given(from)],
    ['tokenIndex', verb === 'mint' ? undefined : given(tokenIndex)],
    ['uri', verb === 'mint' ? given(uri) : undefined],
    ['key', given(key)],
    ['message', messageText(fields, 'transfer_private')],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  const cli = operationArguments(verb, fields);
  return { method: 'POST', path, body, ...(cli !== undefined && { cli }), sdk: { method: sdk } };
}

function operationArguments(verb: Verb, fields: OperationFields): readonly string[] | undefined {
  const { pool, amount, to, from, tokenIndex, uri, key, idempotencyKey } = fields;
  const message = messageFlags(fields);
  if (message === undefined) return undefined;
  const flag = (flagName: string, text: string) => (text === '' ? [] : option(flagName, text));
  return [
    verb,
    amount,
    ...flag('--pool', pool),
    ...(verb === 'burn' ? [] : flag('--to', to)),
    ...(verb === 'mint' ? flag('--uri', uri) : [...flag('--from', from), ...flag('--token-index', tokenIndex)]),
    ...flag('--key', key),
    ...message,
    ...flag('--idempotent', idempotencyKey),
  ];
}

export function judgeApproval(fields: ApprovalFields): Problems<keyof ApprovalFields> {
  const { pool, operator } = fields;
  return {
    ...(pool === '' && { pool: 'Select a pool.' }),
    ...(operator === '' && { operator: 'Enter an operator.' }),
    ...judgeMessage(fields),
  };
}

export function approvalAction(fields: ApprovalFields): Action {
  const { pool, operator, approved, key, idempotencyKey } = fields;
  const body = objectText([
    ['pool', textOf(pool)],
    ['operator', textOf(operator)],
    ['approved', approved === 'no' ? 'false' : 'true'],
    ['key', given(key)],
    ['message', messageText(fields, 'approval_private')],
    ['idempotencyKey', given(idempotencyKey)],
  ]);
  return { method: 'POST', path: 'tokens/approvals', body, sdk: { method: 'approveTokens' } };
}

import { methodsFor } from '../../../domain/tokens/methods.js';
import { checkTransfer, readAmount, readTokenIndex } from '../../../domain/tokens/request.js';
import type { Metrics } from '../../../ports/metrics.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Message } from '../../../wire/messages/message.js';
import type { TokenTransfer, TransferInput, TransferRequest } from '../../../wire/token.js';
import { resolveSigner } from '../identities/author.js';
import { checkConfig, checkIdempotencyKey } from '../messages/request.js';
import { refuseSystemNamespace } from '../share.js';
import { accountOf, choosePool } from './names.js';
import { prepareOperation, refuseUncarried, storeOperation, type TokenAcceptParts } from './operation.js';

export type TransferKind = TokenTransfer['type'];

export interface AcceptedOperation<Shown> {
  /** The API's record, without the fields that only the chain can provide. */
  readonly record: Shown;
  readonly operation: string;
  readonly message: Message | undefined;
}

/**
 * Accepts a mint, transfer or burn, after all checks that are possible without the chain (docs/api.md §19.2). Resolves
 * once it is on disk.
 *
 * Throws ServiceError namespace_read_only, not_found, field_required, choice_required, pool_not_active,
 * connector_unknown, author_refused, bad_amount, amount_out_of_range, token_index, same_account, not_address,
 * identity_unknown, message_not_attachable, field_type, too_long, transaction_key_used, and those of the connector and
 * of the message's sender.
 */
export type AcceptTransfer = (
  namespace: string,
  kind: TransferKind,
  request: TransferRequest,
  /** Called with the pool before anything is stored; may reject to refuse the request. */
  permit?: (pool: PoolRow) => Promise<void>,
) => Promise<AcceptedOperation<TokenTransfer>>;

export function createAcceptTransfer(parts: TokenAcceptParts & { readonly metrics: Metrics }): AcceptTransfer {
  const { pools, connectors, own, profileRules, metrics, once } = parts;

  const accept: AcceptTransfer = async (namespace, kind, request, permit) => {
    const amount = readAmount('amount', request.amount);
    const given = readTokenIndex(request.tokenIndex);
    const chosen = await choosePool(pools, connectors, namespace, request.pool);
    const { pool, locator, connector } = chosen;
    await permit?.(pool);
    const form = { kind, type: pool.type, amount };
    // Whether a mint may have an index depends on the method that it calls.
    checkTransfer({ ...form, tokenIndex: kind === 'mint' ? undefined : given });
    const key = await resolveSigner(own, request.key);
    const sides = await sidesOf(parts, kind, key, request);
    const prepared = await prepareOperation(parts, chosen, { type: 'token_transfer', message: request.message });
    const { uri, config, idempotencyKey } = request;
    const methods = methodsFor(pool.methods, kind);
    const asked = {
      localId: prepared.localId,
      pool: pool.id,
      kind,
      locator,
      key,
      ...sides,
      amount,
      ...(uri !== undefined && { uri }),
      ...(config !== undefined && { config }),
      data: prepared.data,
      ...(methods.length > 0 && { methods: [...methods] }),
    };
    // Built now, so that a refusal by the connector reaches the caller.
    const call = connector.transfer({ uri: undefined, config: undefined, ...asked, tokenIndex: given, methods });
    const isUsed = kind !== 'mint' || call.namesToken === true;
    if (!isUsed && profileRules?.takesMintIndex !== true) checkTransfer({ ...form, tokenIndex: given });
    const input: TransferInput = { ...asked, ...(isUsed && given !== undefined && { tokenIndex: given }) };
    refuseUncarried(pool, prepared, call);
    const operation = await storeOperation(parts, chosen, prepared, { key, input, idempotencyKey });
    metrics.count(`ff_${kind}_submitted_total`);
    return { record: recordOf(chosen.pool.connector, namespace, input, prepared), operation, ...messageOf(prepared) };
  };

  return async (namespace, kind, request, permit) => {
    refuseSystemNamespace(namespace);
    checkIdempotencyKey(request.idempotencyKey);
    checkConfig(request.config);
    return once(namespace, request.idempotencyKey, () => accept(namespace, kind, request, permit));
  };
}

export function messageOf({ message }: Pick<Awaited<ReturnType<typeof prepareOperation>>, 'message'>) {
  return { message: message?.message };
}

/**
 * Returns sender and receiver. A mint has no `from` and a burn no `to`: given values are ignored, and the operation's
 * input has the key instead.
 */
async function sidesOf(
  { directory }: TokenAcceptParts,
  kind: TransferKind,
  key: string,
  request: TransferRequest,
): Promise<{ readonly from: string; readonly to: string }> {
  const side = async (field: 'from' | 'to'): Promise<string> => {
    const given = request[field];
    return given === undefined || given === '' ? key : accountOf(directory, field, given);
  };
  if (kind === 'mint') return { from: key, to: await side('to') };
  if (kind === 'burn') return { from: await side('from'), to: key };
  if (request.to === undefined || request.to === '') {
    throw new ServiceError('field_required', { field: 'to', hint: ': an organisation, a DID or an address' });
  }
  const [from, to] = [await side('from'), await side('to')];
  if (from === to) throw new ServiceError('same_account', { account: from });
  return { from, to };
}

function recordOf(
  connector: string,
  namespace: string,
  input: TransferInput,
  { tx, reference }: Awaited<ReturnType<typeof prepareOperation>>,
): TokenTransfer {
  const { kind, localId, pool, tokenIndex, uri, key, from, to, amount } = input;
  return {
    type: kind,
    localId,
    pool,
    ...(tokenIndex !== undefined && { tokenIndex }),
    ...(uri !== undefined && { uri }),
    connector,
    namespace,
    key,
    from,
    ...(kind !== 'burn' && { to }),
    amount,
    ...reference,
    tx,
  };
}

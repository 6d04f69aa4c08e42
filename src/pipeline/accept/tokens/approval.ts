import { methodsFor } from '../../../domain/tokens/methods.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { ApprovalInput, ApprovalRequest, TokenApproval } from '../../../wire/token.js';
import { resolveSigner } from '../identities/author.js';
import { checkConfig, checkIdempotencyKey } from '../messages/request.js';
import { refuseSystemNamespace } from '../share.js';
import { accountOf, choosePool } from './names.js';
import { prepareOperation, refuseUncarried, storeOperation, type TokenAcceptParts } from './operation.js';
import { type AcceptedOperation, messageOf } from './transfer.js';

/**
 * Accepts the approval of an operator for a key, or its revocation (docs/api.md §19.2).
 *
 * Throws ServiceError namespace_read_only, not_found, field_required, choice_required, pool_not_active,
 * connector_unknown, author_refused, not_address, identity_unknown, message_not_attachable, too_long,
 * transaction_key_used, and those of the connector and of the message's sender.
 */
export type AcceptApproval = (namespace: string, request: ApprovalRequest) => Promise<AcceptedOperation<TokenApproval>>;

export function createAcceptApproval(parts: TokenAcceptParts): AcceptApproval {
  const { pools, directory, connectors, own, once } = parts;

  const accept: AcceptApproval = async (namespace, request) => {
    const { approved = true, config, idempotencyKey } = request;
    if (request.operator === undefined) {
      throw new ServiceError('field_required', { field: 'operator', hint: ': an organisation, a DID or an address' });
    }
    const chosen = await choosePool(pools, connectors, namespace, request.pool);
    const { pool, locator, connector } = chosen;
    const key = await resolveSigner(own, request.key);
    const operator = await accountOf(directory, 'operator', request.operator);
    const prepared = await prepareOperation(parts, chosen, { type: 'token_approval', message: request.message });
    const { localId, tx, reference, data } = prepared;
    const ofCall = { key, operator, approved };
    const methods = methodsFor(pool.methods, 'approval');
    const input: ApprovalInput = {
      localId,
      pool: pool.id,
      locator,
      ...ofCall,
      ...(config !== undefined && { config }),
      data,
      ...(methods.length > 0 && { methods: [...methods] }),
    };
    refuseUncarried(pool, prepared, connector.approve({ config: undefined, ...input, methods }));
    const operation = await storeOperation(parts, chosen, prepared, { key, input, idempotencyKey });
    const record = { localId, pool: pool.id, connector: pool.connector, ...ofCall, namespace, ...reference, tx };
    return { record, operation, ...messageOf(prepared) };
  };

  return async (namespace, request) => {
    refuseSystemNamespace(namespace);
    checkIdempotencyKey(request.idempotencyKey);
    checkConfig(request.config);
    return once(namespace, request.idempotencyKey, () => accept(namespace, request));
  };
}

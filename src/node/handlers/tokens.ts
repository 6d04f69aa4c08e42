import type { TokenAcceptance } from '../../pipeline/accept/tokens/token.js';
import { namedPool } from '../../pipeline/accept/tokens/names.js';
import { cancelledDefinition } from '../../pipeline/state/tokens/token-pool.js';
import type { AcceptedOperation, TransferKind } from '../../pipeline/accept/tokens/transfer.js';
import { poolRecord } from '../../pipeline/records/tokens.js';
import type { OwnIdentity } from '../../pipeline/state/identities/own-identity.js';
import type { Database } from '../../ports/database.js';
import type { EventRow } from '../../ports/tables/tables.js';
import { isServiceError } from '../../wire/errors/error.js';
import type { Message } from '../../wire/messages/message.js';
import { equal, readFlag } from '../../wire/lists/query.js';
import type { tokenRoutes } from '../../wire/routes/tokens.js';
import type { TokenPool, TransferRequest } from '../../wire/token.js';
import type { Access } from '../requests/access.js';
import type { HttpRequest } from '../data/binary.js';
import { type Confirm, isConfirmed, type WaitingRequest } from '../messages/confirm.js';
import { createConfirmTokens } from '../tokens/confirm.js';
import type { HandlersOf } from '../requests/handler.js';
import { requireSigner } from '../identities/signers.js';
import { createPoolRights } from '../tokens/pool-rights.js';
import type { Reading } from '../lists/read.js';

export interface TokenHandlerParts extends TokenAcceptance {
  readonly database: Database;
  readonly reading: Reading;
  readonly confirm: Confirm;
  readonly access: Access;
  readonly own: Pick<OwnIdentity, 'key'>;
  /** Token connectors by name. */
  readonly connectors: ReadonlyMap<string, unknown>;
}

type Request = WaitingRequest & { readonly namespace: string };

/** Creates the handlers for tokens, except for listing them. */
export function createTokenHandlers(parts: TokenHandlerParts): HandlersOf<typeof tokenRoutes> {
  const { connectors } = parts;
  return {
    ...createPoolHandlers(parts),
    ...createOperationHandlers(parts),
    listTokenConnectors: () => Promise.resolve([...connectors.keys()].map((name) => ({ name }))),
  };
}

type TransferOf = Request & { readonly body: TransferRequest; readonly http: HttpRequest };
type Handlers = HandlersOf<typeof tokenRoutes>;
type OperationName = 'mintTokens' | 'transferTokens' | 'burnTokens' | 'approveTokens';

function createOperationHandlers(parts: TokenHandlerParts): Pick<Handlers, OperationName> {
  const { reading, acceptTransfer, acceptApproval } = parts;
  const poolRights = createPoolRights(parts);
  const confirm = createConfirmTokens(parts);

  /** Starts a mint, transfer or burn; with `confirm=true` returns the record from the chain. */
  async function transfer(request: TransferOf, kind: TransferKind) {
    const { namespace, body, http } = request;
    const start = () => acceptTransfer(namespace, kind, body, poolRights(http.message));
    const { record } = await confirm(request, { start, outcomeOf: outcomeOfOperation('token_transfer') });
    return isConfirmed(request.query) ? final('transfers', request, record.localId) : record;
  }

  function final<C extends 'transfers' | 'approvals'>(collection: C, { namespace }: Request, localId: string) {
    const where = [equal('localId', localId)];
    return reading.get(collection, { namespace, query: new Map() }, { where, name: localId });
  }

  return {
    mintTokens: (request) => transfer(request, 'mint'),
    transferTokens: (request) => transfer(request, 'transfer'),
    burnTokens: (request) => transfer(request, 'burn'),

    async approveTokens(request) {
      const { namespace, body, query } = request;
      const { record } = await confirm(request, {
        start: () => acceptApproval(namespace, body),
        outcomeOf: outcomeOfOperation('token_approval'),
      });
      return isConfirmed(query) ? final('approvals', request, record.localId) : record;
    },
  };
}

type PoolName = 'createTokenPool' | 'getTokenPool' | 'deleteTokenPool' | 'publishTokenPool';

function createPoolHandlers(parts: TokenHandlerParts): Pick<Handlers, PoolName> {
  const { database, acceptPool, publishPool, deletePool } = parts;
  const confirm = createConfirmTokens(parts);

  async function final({ namespace, query }: Request, record: TokenPool): Promise<TokenPool> {
    return isConfirmed(query) ? poolRecord(await namedPool(database, namespace, record.id)) : record;
  }

  /** The row of a rejected pool is deleted, unless it was active before; in that case it names the message. */
  async function isOwnRejection(namespace: string, { record }: StartedPool, { reference }: EventRow): Promise<boolean> {
    const pool = await database.first('pools', { namespace, id: record.id });
    return pool === undefined || pool.message === reference || pool.message === null;
  }

  return {
    async createTokenPool(request) {
      const { namespace, body, query } = request;
      const publish = readFlag(query.get('publish')) ?? true;
      const { record } = await confirm<StartedPool>(request, {
        start: () => acceptPool(namespace, body, publish),
        outcomeOf: outcomeOfPool,
        isOwnRejection: (started, event) => isOwnRejection(namespace, started, event),
        findCancelled: ({ record: { id } }) => cancelledDefinition(database, { namespace, id }),
      });
      const isAsked = readFlag(query.get('publish')) === true;
      return final(request, isAsked ? { ...record, published: true } : record);
    },

    getTokenPool: async ({ namespace, params: { nameOrId } }) =>
      poolRecord(await namedPool(database, namespace, nameOrId)),

    async deleteTokenPool({ namespace, params: { nameOrId } }) {
      await deletePool(namespace, nameOrId);
      return null;
    },

    async publishTokenPool(request) {
      const { namespace, params, body, isStrict, http } = request;
      const permit = (key: string): void => requireSigner(parts, http.message, key);
      try {
        const { record } = await confirm<StartedPool>(request, {
          async start() {
            const { record: started, message } = await publishPool(namespace, params.nameOrId, body, permit);
            return { record: started, definition: message };
          },
          outcomeOf: outcomeOfPool,
          isOwnRejection: ({ definition }, { reference }) => Promise.resolve(definition?.header.id === reference),
        });
        return await final(request, record);
      } catch (error) {
        // Pools are shared from the start unless requested otherwise, so a client of FireFly publishes an already
        // shared pool.
        if (isStrict || !isServiceError(error, 'already_published')) throw error;
        return poolRecord(await namedPool(database, namespace, params.nameOrId));
      }
    },
  };
}

interface StartedPool {
  readonly record: TokenPool;
  readonly definition?: Message;
}

function outcomeOfOperation(type: 'token_transfer' | 'token_approval') {
  return (
    { operation, record }: AcceptedOperation<{ readonly localId: string }>,
    event: EventRow,
  ): 'confirmed' | 'failed' | undefined => {
    if (event.type === `${type}_confirmed` && event.reference === record.localId) return 'confirmed';
    return event.type === `${type}_op_failed` && event.reference === operation ? 'failed' : undefined;
  };
}

function outcomeOfPool(
  { record: { id } }: StartedPool,
  event: EventRow,
): 'confirmed' | 'failed' | 'rejected' | undefined {
  if (event.type === 'token_pool_confirmed' && event.reference === id) return 'confirmed';
  if (event.correlator !== id) return undefined;
  if (event.type === 'token_pool_op_failed') return 'failed';
  return event.type === 'message_rejected' ? 'rejected' : undefined;
}

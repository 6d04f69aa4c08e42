import type { ProfileRules } from '../../../domain/network/profile.js';
import type { Blockchain } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { TokenCall } from '../../../ports/token-connector.js';
import type { PoolRow } from '../../../ports/tables/token-tables.js';
import type { ParentType } from '../../../wire/messages/message.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { operationData } from '../../../domain/tokens/request.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { AttachedMessage } from '../../../wire/token.js';
import type { Bus } from '../../bus.js';
import { callLane, newOperation } from '../../operations/operation.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Prepared, Sender } from '../../state/messages/sender.js';
import type { Directory } from '../identities/directory.js';
import type { ChosenPool, Connectors, PoolFinder } from './names.js';
import { insertTransaction, type Once } from '../messages/transaction.js';

export interface TokenAcceptParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'network'>;
  readonly directory: Directory;
  readonly pools: PoolFinder;
  readonly once: Once;
  readonly connectors: Connectors;
  readonly own: OwnIdentity;
  readonly profileRules?: ProfileRules | undefined;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly prepareStaged: Sender['prepareStaged'];
  readonly prepareDefinition: Sender['prepareDefinition'];
}

export interface PreparedOperation {
  readonly tx: { readonly type: TokenParent; readonly id: string };
  readonly localId: string;
  readonly message: Prepared | undefined;
  /** The data that the call carries on chain. */
  readonly data: JsonText;
  /** The message's part of the API's record. */
  readonly reference: { readonly message?: string; readonly messageHash?: string };
}

type TokenParent = Extract<ParentType, 'token_transfer' | 'token_approval'>;

/**
 * Assigns the ids of an operation and seals its message (docs/api.md §19.3), without storing anything.
 *
 * @throws ServiceError message_not_attachable, network_contract, and those of the message's sender
 */
export async function prepareOperation(
  { blockchain, random, prepareStaged }: Pick<TokenAcceptParts, 'blockchain' | 'random' | 'prepareStaged'>,
  { pool, located }: ChosenPool,
  { type, message: attached }: { readonly type: TokenParent; readonly message: AttachedMessage | undefined },
): Promise<PreparedOperation> {
  // Any member may define a pool at any address.
  refuseNetworkContract(blockchain.network, located.address);
  const tx = { type, id: random.uuid() };
  const localId = random.uuid();
  if (attached === undefined) return { tx, localId, message: undefined, data: operationData(tx), reference: {} };
  if (!pool.published) {
    const problem = `the pool ${pool.name} is not published, so other parties could not match the two`;
    throw new ServiceError('message_not_attachable', { problem });
  }
  // Whether a method of the contract's own accepts data is checked when the call is built.
  if (!located.takesData && pool.methods === null) throw takesNoData(pool);
  const message = await prepareStaged(pool.namespace, attached, tx);
  const { header, hash } = message.message;
  const reference = { message: header.id, messageHash: hash };
  return { tx, localId, message, data: operationData(tx, { id: header.id, hash }), reference };
}

/** Refuses a message if the call cannot carry its data. @throws ServiceError message_not_attachable */
export function refuseUncarried(
  pool: Pick<PoolRow, 'name'>,
  { message }: Pick<PreparedOperation, 'message'>,
  { carriesData }: Pick<TokenCall, 'carriesData'>,
): void {
  if (message !== undefined && !carriesData) throw takesNoData(pool);
}

function takesNoData({ name }: Pick<PoolRow, 'name'>): ServiceError {
  const problem = `the contract of the pool ${name} takes no data, so the two could not be matched`;
  return new ServiceError('message_not_attachable', { problem });
}

/**
 * Stores transaction, operation and message in one unit (docs/api.md §19.3). The caller has checked the idempotency
 * key. Returns the operation's id.
 *
 * @throws ServiceError those of storing the message
 */
export async function storeOperation(
  { database, bus, clock, random }: Pick<TokenAcceptParts, 'database' | 'bus' | 'clock' | 'random'>,
  { pool }: ChosenPool,
  { tx, message }: PreparedOperation,
  call: {
    readonly key: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly idempotencyKey: string | undefined;
  },
): Promise<string> {
  const { namespace, connector } = pool;
  const { key, input, idempotencyKey } = call;
  const [id, created] = [random.uuid(), clock.now()];
  const transaction = newTransaction(namespace, { ...tx, created, idempotencyKey });
  const subject = { namespace, tx: tx.id, batch: '', batchHash: '', signer: key };
  const operation = newOperation({ id, type: tx.type, lane: callLane(key), created, subject, input, connector });
  const bells = await database.transaction(async (unit) => {
    await insertTransaction(unit, transaction, random);
    await unit.insert('operations', [operation]);
    return (await message?.store(unit)) ?? [];
  });
  bus.ring('operations', 'events');
  message?.announce(bells);
  return id;
}

import { checkRecordName } from '../../../domain/definition.js';
import { reservedPrefix } from '../../../domain/network/identity.js';
import { operationData } from '../../../domain/tokens/request.js';
import type { Unit } from '../../../ports/database.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { type PoolInput, type PoolRequest, type TokenPool, TokenType } from '../../../wire/token.js';
import { check } from '../../../wire/check.js';
import { callLane, newOperation } from '../../operations/operation.js';
import { refuseNetworkContract } from '../../state/contracts/network-contract.js';
import { isRegistered } from '../../state/identities/registered-key.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { poolRecord } from '../../records/tokens.js';
import { resolveSigner } from '../identities/author.js';
import { checkConfig, checkIdempotencyKey } from '../messages/request.js';
import { findPoolInterface } from './interface.js';
import { refuseSystemNamespace } from '../share.js';
import { chooseConnector } from './names.js';
import type { TokenAcceptParts } from './operation.js';
import { beginTransaction, refuseUsedKey } from '../messages/transaction.js';

export interface AcceptedPool {
  /** The API's record, without the fields that only the chain can provide. */
  readonly record: TokenPool;
  readonly operation: string;
}

/**
 * Accepts a token pool, which an operation then creates (docs/api.md §19.2, §19.1). With `publish` its definition is
 * sent afterwards.
 *
 * Throws ServiceError namespace_read_only, field_required, bad_name, uuid_as_name, reserved_name, not_one_of,
 * field_type, choice_required, connector_unknown, author_refused, interface_not_found, interface_not_published,
 * too_long, pool_name_used, network_name_used, transaction_key_used, network_contract, and those of the connector.
 */
export type AcceptPool = (namespace: string, request: PoolRequest, publish: boolean) => Promise<AcceptedPool>;

export function createAcceptPool(parts: TokenAcceptParts): AcceptPool {
  const { database, blockchain, connectors, own, profileRules, bus, clock, random } = parts;
  return async (namespace, request, publish) => {
    refuseSystemNamespace(namespace);
    const { symbol, config, idempotencyKey } = request;
    checkIdempotencyKey(idempotencyKey);
    await refuseUsedKey(database, namespace, idempotencyKey);
    const { name, type, networkName } = readPool(request, publish);
    const connector = chooseConnector(connectors, request.connector, profileRules);
    const key = await resolveSigner(own, request.key);
    const ofPool = { type, name, symbol, config };
    const itsInterface = await findPoolInterface(database, namespace, request, { connector, request: ofPool, publish });
    const [id, operation, created] = [random.uuid(), random.uuid(), clock.now()];
    const tx = { id: random.uuid(), type: 'token_pool' } as const;
    const input: PoolInput = {
      pool: id,
      type,
      name,
      networkName,
      key,
      publish,
      data: operationData(tx),
      ...(symbol !== undefined && { symbol }),
      ...(config !== undefined && { config }),
    };
    const origin = connector.createPool(ofPool, input.data);
    // The creator's key signs the definition, which only a registered key can.
    if (publish && origin.kind !== 'existing' && key !== own.key && !(await isRegistered(database, key))) {
      const hint = 'all parties see the pool, so a registered key creates it; or ask with publish=false';
      throw new ServiceError('author_refused', { inner: `FF10356 the key "${key}" is not registered; ${hint}.` });
    }
    refuseNetworkContract(blockchain.network, origin.kind === 'existing' ? origin.address : origin.call.to);
    const row = newPool({ namespace, id, name, type, key, connector: connector.name, created, tx: tx.id });
    const pool = { ...row, symbol: symbol ?? null, ...itsInterface };
    const transaction = newTransaction(namespace, { ...tx, created, idempotencyKey });
    const subject = { namespace, tx: tx.id, batch: '', batchHash: '', signer: key };
    const creation = newOperation({
      id: operation,
      type: 'token_create_pool',
      lane: callLane(key),
      created,
      subject,
      input,
      connector: connector.name,
    });
    await database.transaction(async (unit) => {
      await beginTransaction(unit, transaction, random);
      await refuseTaken(unit, { namespace, name, networkName: publish ? networkName : undefined });
      await unit.insert('pools', [pool]);
      await unit.insert('operations', [creation]);
    });
    bus.ring('operations', 'events');
    return { record: poolRecord({ ...pool, sequence: 0 }), operation };
  };
}

interface ReadPool {
  readonly name: string;
  readonly type: TokenType;
  readonly networkName: string;
}

/** The limit of Parley's token contracts. */
const maxSymbolBytes = 64;

function readPool({ name, type, networkName, symbol = '', config }: PoolRequest, publish: boolean): ReadPool {
  if (name === undefined) throw new ServiceError('field_required', { field: 'name', hint: '' });
  checkPoolName('name', name);
  if (type === undefined) {
    throw new ServiceError('field_required', { field: 'type', hint: ': fungible or nonfungible' });
  }
  if (!check(TokenType, type)) {
    throw new ServiceError('not_one_of', { field: 'type', expected: 'fungible, nonfungible', actual: type });
  }
  if (networkName !== undefined) {
    checkPoolName('networkName', networkName);
    if (!publish) {
      const actual = `"${networkName}"`;
      throw new ServiceError('field_type', { field: 'networkName', expected: 'left out with publish=false', actual });
    }
  }
  const actual = Buffer.byteLength(symbol);
  if (actual > maxSymbolBytes) {
    throw new ServiceError('too_long', { field: 'symbol', max: maxSymbolBytes, unit: 'bytes', actual });
  }
  checkConfig(config);
  return { name, type, networkName: networkName ?? name };
}

/** @throws ServiceError bad_name, uuid_as_name, reserved_name */
export function checkPoolName(field: string, name: string): void {
  checkRecordName(field, name);
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The name', actual: name });
}

/**
 * Refuses names that are used on this node; between members the order on chain decides.
 *
 * @throws ServiceError pool_name_used, network_name_used
 */
export async function refuseTaken(
  unit: Unit,
  taken: { readonly namespace: string; readonly name?: string; readonly networkName: string | undefined },
): Promise<void> {
  const { namespace, name, networkName } = taken;
  if (name !== undefined && (await unit.has('pools', { namespace, name }))) {
    throw new ServiceError('pool_name_used', { name, namespace });
  }
  if (networkName === undefined) return;
  if (await unit.has('pools', { namespace, networkName })) {
    throw new ServiceError('network_name_used', { what: `A token pool "${networkName}"` });
  }
}

function newPool(parts: {
  readonly namespace: string;
  readonly id: string;
  readonly name: string;
  readonly type: TokenType;
  readonly key: string;
  readonly connector: string;
  readonly created: string;
  readonly tx: string;
}): NewRow<'pools'> {
  const { tx: txid, ...given } = parts;
  return {
    ...given,
    networkName: null,
    standard: null,
    locator: null,
    chainKey: null,
    address: null,
    symbol: null,
    decimals: null,
    message: null,
    state: 'creating',
    refusal: null,
    active: false,
    info: null,
    txtype: 'token_pool',
    txid,
    interface: null,
    interfaceFormat: null,
    methods: null,
    published: false,
    pin: null,
    claim: null,
    verified: false,
  };
}

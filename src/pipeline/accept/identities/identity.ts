import { checkRecordName, identityClaimTag, identityUpdateTag } from '../../../domain/definition.js';
import {
  canonicalDid,
  customDid,
  methodOf,
  definitionTopic,
  identityId,
  organizationDid,
  reservedPrefix,
} from '../../../domain/network/identity.js';
import { type Blockchain, ChainError } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { IdentityRow } from '../../../ports/tables/chain-tables.js';
import { every } from '../../../ports/tables/where.js';
import { canonicalAddress } from '../../../wire/chain/address.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { type IdentityChange, type IdentityRequest, IdentityUpdate } from '../../../wire/identities/identity.js';
import { write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import type { Message } from '../../../wire/messages/message.js';
import type { Bus } from '../../bus.js';
import { newRegistryOperation } from '../../operations/registry-operation.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Definition, Sender } from '../../state/messages/sender.js';
import type { Rulebook } from '../../state/rulebook.js';
import { newSubmittedEvent } from '../../state/events/event-row.js';
import { newTransaction } from '../../state/chain/transaction-row.js';
import { holdsKey } from './author.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { refuseSystemNamespace } from '../share.js';
import { refuseUsedKey } from '../messages/transaction.js';

export interface IdentityParts {
  readonly database: Database;
  readonly blockchain: Pick<Blockchain, 'addKey' | 'balance'>;
  readonly own: OwnIdentity;
  readonly rulebook: Pick<Rulebook, 'rules'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly acceptDefinition: Sender['acceptDefinition'];
  readonly prepareDefinition: Sender['prepareDefinition'];
  /** Creates and stores a private key; undefined if this node cannot create keys. */
  readonly createKey?: (() => Promise<string>) | undefined;
  /** Whether the organisation funds keys without balance; only on the stack's own chain. */
  readonly fundsKeys?: boolean | undefined;
}

export interface AcceptedIdentity {
  readonly id: string;
  readonly did: string;
  readonly parent: string;
  readonly created: string;
  readonly operation: string;
  /** The message with its description and profile, sent after the registration. */
  readonly message: Message | undefined;
}

/** A claim that will be rejected. */
export type TakenClaim = Omit<AcceptedIdentity, 'operation' | 'message'> & { readonly message: Message };

/** Accepts requests about this member's identities (docs/api.md §21.2). */
export interface IdentityAcceptance {
  /**
   * Registers a key of this member for a custom identity or a child organisation. Description and profile follow in a
   * definition, after the registration.
   *
   * @throws ServiceError namespace_read_only, operator_only, not_own, parent_not_own, name_taken, bad_name,
   * reserved_name, transaction_key_used, not_registered, key_unfunded
   */
  readonly acceptIdentity: (namespace: string, request: IdentityRequest) => Promise<AcceptedIdentity>;
  /**
   * Sends a claim that `acceptIdentity` has refused as `name_taken`, so that all members see it rejected.
   *
   * @throws ServiceError transaction_key_used, idempotency_key_used
   */
  readonly acceptTakenClaim: (namespace: string, request: IdentityRequest) => Promise<TakenClaim>;
  /**
   * Sends a new description or profile of an identity of this member, for one namespace.
   *
   * @throws ServiceError namespace_read_only, not_own, field_required, field_type
   */
  readonly acceptIdentityChange: (namespace: string, identity: IdentityRow, change: IdentityChange) => Promise<Message>;
}

export function createIdentityAcceptance(parts: IdentityParts): IdentityAcceptance {
  const { database, own, bus, clock, random, acceptDefinition, prepareDefinition } = parts;

  return {
    async acceptIdentity(namespace, request) {
      refuseSystemNamespace(namespace);
      checkRequest(own, request);
      await refuseUsedKey(database, namespace, request.idempotencyKey);
      await requireMember(database, own);
      const isOrganization = request.type === 'org';
      if (isOrganization) await requireChildOrganizations(parts);
      const { name, idempotencyKey } = request;
      const did = didOf(own, request);
      const [operation, tx, created] = [random.uuid(), random.uuid(), clock.now()];
      const wanted = { name, own, key: request.key === undefined ? undefined : canonicalAddress(request.key) };
      await refuseTaken(database, wanted);
      const key = await keyFor(parts, request.key);
      const isPoor = await lacksFunds(parts, key);
      const hasUpdate = request.description !== undefined || request.profile !== undefined;
      const update = hasUpdate ? await prepareDefinition(updateOf(namespace, did, request)) : undefined;
      // Stored in the same unit: its batch is sealed after the registration, by the same key.
      const bells = await database.transaction(async (unit) => {
        // Units run one at a time, so the second of two equal requests is refused here, first by its idempotency key.
        await refuseUsedKey(unit, namespace, idempotencyKey);
        await refuseTaken(unit, { ...wanted, key });
        const transaction = newTransaction(namespace, { id: tx, type: 'identity', created, idempotencyKey });
        await unit.insert('transactions', [transaction]);
        await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
        const subject = { namespace, tx, batch: '', batchHash: '', signer: own.key };
        const shared = { created, subject };
        const funding = { type: 'fund_key', key } as const;
        const call = { type: 'add_key', name, key, ...(isOrganization && { isOrganization }) } as const;
        // The same lane, so the key is funded before it is registered.
        if (isPoor)
          await unit.insert('operations', [newRegistryOperation({ ...shared, id: random.uuid(), call: funding })]);
        await unit.insert('operations', [newRegistryOperation({ ...shared, id: operation, call })]);
        return (await update?.store(unit)) ?? [];
      });
      bus.ring('operations', 'events');
      update?.announce(bells);
      return { id: identityId(did), did, parent: own.did, created, operation, message: update?.message };
    },

    async acceptTakenClaim(namespace, request) {
      // An equal request may have taken the name after `acceptIdentity` checked the idempotency key.
      await refuseUsedKey(database, namespace, request.idempotencyKey);
      const did = didOf(own, request);
      const claim = { ...updateOf(namespace, did, request), tag: identityClaimTag };
      const message = await acceptDefinition({ ...claim, idempotencyKey: request.idempotencyKey });
      return { id: identityId(did), did, parent: own.did, created: clock.now(), message };
    },

    async acceptIdentityChange(namespace, { did, parent }, change) {
      refuseSystemNamespace(namespace);
      if ((parent ?? did) !== own.did) throw new ServiceError('not_own', { what: `The identity ${did}`, own: own.did });
      checkProfile(change);
      if (change.description === undefined && change.profile === undefined) {
        throw new ServiceError('field_required', { field: 'description', hint: ', or profile' });
      }
      return acceptDefinition(updateOf(namespace, did, change));
    },
  };
}

function didOf(own: OwnIdentity, { name, type }: IdentityRequest): string {
  return type === 'org' ? organizationDid(name, methodOf(own.did)) : customDid(name, methodOf(own.did));
}

/**
 * The contract accepts keys from members only: a call before this node's registration would fail permanently, instead
 * of waiting as messages do.
 *
 * @throws ServiceError not_registered
 */
async function requireMember(reader: Reader, { organization, did, key }: OwnIdentity): Promise<void> {
  // A member may have registered this key, or an organisation of this name below it, as its own.
  const isMember = await reader.has('identities', { did, type: 'org', parent: null });
  if (isMember && (await reader.has('keys', { key, identity: did }))) return;
  throw new ServiceError('not_registered', { what: `The organisation ${organization} with the key ${key}` });
}

/** @throws ServiceError operator_only in networks of versions without child organisations */
async function requireChildOrganizations({ database, rulebook }: IdentityParts): Promise<void> {
  const { hasChildOrganizations } = await rulebook.rules(database);
  if (hasChildOrganizations) return;
  const hint = ' in a network that an earlier version created';
  throw new ServiceError('operator_only', { type: 'org', hint });
}

function updateOf(namespace: string, did: string, { description, profile }: IdentityChange): Definition {
  const changes = { ...(description !== undefined && { description }), ...(profile !== undefined && { profile }) };
  const value = compact(write(IdentityUpdate, { did, namespace, ...changes }));
  return { tag: identityUpdateTag, topics: [definitionTopic(namespace)], value };
}

function checkRequest(own: OwnIdentity, request: IdentityRequest): void {
  const { name, type = 'custom', parent, idempotencyKey } = request;
  if (type === 'node') throw new ServiceError('operator_only', { type, hint: '' });
  if (type === 'org' && parent === undefined) {
    const hint = `, but ${own.organization} may have organisations below it: give "parent": "${own.organization}"`;
    throw new ServiceError('operator_only', { type, hint });
  }
  if (type !== 'custom' && type !== 'org') {
    throw new ServiceError('field_type', { field: 'type', expected: 'custom or org', actual: `"${type}"` });
  }
  checkRecordName('name', name);
  if (name.startsWith(reservedPrefix)) throw new ServiceError('reserved_name', { field: 'The name', actual: name });
  const parents = [own.did, own.organization, identityId(own.did)];
  if (parent !== undefined && !parents.includes(canonicalDid(parent, methodOf(own.did)))) {
    throw new ServiceError('parent_not_own', { own: own.organization, actual: parent });
  }
  checkProfile(request);
  checkIdempotencyKey(idempotencyKey);
}

function checkProfile({ profile }: IdentityChange): void {
  if (profile !== undefined && !profile.startsWith('{')) {
    throw new ServiceError('field_type', { field: 'profile', expected: 'an object', actual: 'another value' });
  }
}

/** Returns the given key, which must be held here, or creates one. */
async function keyFor({ own, blockchain, createKey }: IdentityParts, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    const key = canonicalAddress(given);
    if (await holdsKey(own, key)) return key;
    throw new ServiceError('not_own', { what: `The key ${given}`, own: own.did });
  }
  if (createKey === undefined)
    throw new ServiceError('field_required', { field: 'key', hint: '; no key is made here' });
  return blockchain.addKey(await createKey());
}

/**
 * Whether the organisation must fund a key before it can pin. If the chain does not answer, false: missing funds then
 * show when the key pins.
 *
 * @throws ServiceError key_unfunded if it has no balance and this node does not fund keys
 */
async function lacksFunds({ blockchain, fundsKeys = false }: IdentityParts, key: string): Promise<boolean> {
  try {
    if ((await blockchain.balance(key)) > 0n) return false;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return false;
  }
  if (!fundsKeys) throw new ServiceError('key_unfunded', { key });
  return true;
}

/**
 * Refuses a name or key that is registered or about to be; both stay unique forever.
 *
 * @throws ServiceError name_taken
 */
async function refuseTaken(
  reader: Reader,
  { name, own, key }: { readonly name: string; readonly own: OwnIdentity; readonly key: string | undefined },
): Promise<void> {
  const pending = await reader.rows(
    'operations',
    { namespace: every, type: 'blockchain_register_identity', status: ['Initialized', 'Pending'] },
    { limit: maxPending },
  );
  // Organisations and custom identities share unique names.
  const dids = [customDid(name, methodOf(own.did)), organizationDid(name, methodOf(own.did))];
  if ((await reader.has('identities', { did: dids })) || pending.some(({ input }) => input['name'] === name)) {
    throw new ServiceError('name_taken', { what: `The identity ${name}` });
  }
  if (key === undefined) return;
  if ((await reader.has('keys', { key })) || pending.some(({ input }) => input['key'] === key)) {
    throw new ServiceError('name_taken', { what: `An identity with the key ${key}` });
  }
}

const maxPending = 10_000;

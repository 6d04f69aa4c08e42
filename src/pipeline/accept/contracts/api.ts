import { checkApiName } from '../../../domain/contracts/definition.js';
import { locationOf, readLocation } from '../../../domain/contracts/location.js';
import { apiTag } from '../../../domain/definition.js';
import { definitionTopic } from '../../../domain/network/identity.js';
import type { Clock } from '../../../ports/clock.js';
import type { ApiRow, InterfaceRow } from '../../../ports/tables/contract-tables.js';
import type { Database, Reader } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { Where } from '../../../ports/tables/where.js';
import { ApiDefinition, type ApiRequest, type InterfaceReference } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import { uuidPattern } from '../../../wire/scalar.js';
import type { PublishRequest } from '../../../wire/token.js';
import type { Bell, Bus } from '../../bus.js';
import { keyOfApi } from '../../state/contracts/api-key.js';
import { newDefinitionEvent } from '../../state/events/event-row.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import type { Prepared, Sender } from '../../state/messages/sender.js';
import { findInterface } from './interface.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { isOnItsWay, refuseSystemNamespace, type Shared } from '../share.js';

export interface ApiParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly own: OwnIdentity;
  readonly prepareDefinition: Sender['prepareDefinition'];
}

/** Accepts contract APIs (docs/api.md §20). */
export interface ApiAcceptance {
  /**
   * Stores an API on this node or, if published, sends its definition; it then exists once the order has confirmed it.
   *
   * @throws ServiceError bad_name, reserved_name, name_used, network_name_used, interface_not_found,
   * interface_not_published, bad_location, field_required, namespace_read_only
   */
  readonly acceptApi: (namespace: string, request: ApiRequest, isPublished: boolean) => Promise<Shared<NewRow<'apis'>>>;
  /**
   * Changes an API's interface, or the name of a local one. A published API is defined again by the key that published
   * it, and changes on all nodes once the order has confirmed that.
   *
   * @throws ServiceError not_found, location_fixed, published_kept, already_published, and as `acceptApi`
   */
  readonly changeApi: (namespace: string, id: string, request: ApiRequest) => Promise<Shared<NewRow<'apis'>>>;
  /**
   * Publishes a local API.
   *
   * @throws ServiceError not_found, already_published, too_long, idempotency_key_used, and as `acceptApi`
   */
  readonly publishApi: (namespace: string, name: string, request: PublishRequest) => Promise<Shared<NewRow<'apis'>>>;
  /** Deletes a local API. @throws ServiceError not_found, published_kept */
  readonly removeApi: (namespace: string, name: string) => Promise<void>;
}

export function createApiAcceptance(parts: ApiParts): ApiAcceptance {
  const { database, bus, clock, random } = parts;

  return {
    async acceptApi(namespace, request, isPublished) {
      const its = await checkRequest(database, namespace, request);
      const row = newApi(namespace, request, { id: random.uuid(), interface: its.id });
      const networkName = request.networkName ?? row.name;
      const sent = isPublished ? await prepare(parts, row, { its, networkName }) : undefined;
      const message = sent?.message.header.id ?? null;
      // With another local name it is stored now; otherwise once its definition is confirmed.
      const isKept = sent === undefined || networkName !== row.name;
      const bells = await database.transaction(async (unit): Promise<readonly Bell[]> => {
        await refuseName(unit, row);
        // It may have been deleted since the check; from now on the API keeps it from being deleted.
        await findInterface(unit, { namespace, id: its.id }, its.id);
        if (sent !== undefined) await refuseNetworkName(unit, namespace, networkName);
        if (isKept) await unit.insert('apis', [{ ...row, message }]);
        if (sent !== undefined) return sent.store(unit);
        await unit.insert('events', [confirmation(row, random.uuid(), clock.now())]);
        return ['events'];
      });
      if (sent === undefined) bus.ring(...bells);
      else sent.announce(bells);
      return { record: sent === undefined ? row : { ...row, message, networkName }, message: sent?.message };
    },

    changeApi: (namespace, id, request) => change(parts, namespace, id, request),

    async publishApi(namespace, name, { networkName = name, idempotencyKey }) {
      refuseSystemNamespace(namespace);
      checkIdempotencyKey(idempotencyKey);
      const row = await findApi(database, { namespace, name }, name);
      // A repeated request gets the answer of the first one when it is stored.
      if (idempotencyKey === undefined) await refuseShared(database, row);
      const its = await findInterface(database, { namespace, id: row.interface }, row.interface);
      const sent = await prepare(parts, row, { its, networkName, idempotencyKey });
      const message = sent.message.header.id;
      const bells = await database.transaction(async (unit) => {
        const rung = await sent.store(unit);
        const now = await findApi(unit, { namespace, id: row.id }, name);
        await refuseShared(unit, now);
        await refuseNetworkName(unit, namespace, networkName);
        await unit.update('apis', { namespace, id: now.id }, { message });
        return rung;
      });
      sent.announce(bells);
      return { record: { ...row, message, networkName }, message: sent.message };
    },

    async removeApi(namespace, name) {
      await database.transaction(async (unit) => {
        const row = await findApi(unit, { namespace, name }, name);
        if (row.published || (await isOnItsWay(unit, row.message))) {
          throw new ServiceError('published_kept', { what: `The contract API ${name}` });
        }
        await unit.remove('apis', { namespace, id: row.id });
      });
    },
  };
}

/** Changes a local API in place and a published one by another definition. */
async function change(
  parts: ApiParts,
  namespace: string,
  id: string,
  request: ApiRequest,
): Promise<Shared<NewRow<'apis'>>> {
  const { database } = parts;
  const its = await checkRequest(database, namespace, request);
  const row = await findApi(database, { namespace, id }, id);
  await checkChange(database, row, request);
  const changed = { ...row, name: request.name, interface: its.id };
  if (!row.published) {
    await database.transaction(async (unit) => {
      const now = await findApi(unit, { namespace, id }, id);
      await checkChange(unit, now, request);
      await refuseShared(unit, now);
      await findInterface(unit, { namespace, id: its.id }, its.id);
      await unit.update('apis', { namespace, id }, { name: request.name, interface: its.id });
    });
    return { record: changed, message: undefined };
  }
  if (its.id === row.interface) return { record: row, message: undefined };
  const sent = await prepareAgain(parts, row, its);
  sent.announce(await database.transaction(sent.store));
  return { record: { ...changed, message: sent.message.header.id }, message: sent.message };
}

/** Returns the API that is selected; `called` names it in the error. @throws ServiceError not_found */
export async function findApi(reader: Reader, where: OneApi, called: string): Promise<ApiRow> {
  const row = await reader.first('apis', where);
  if (row !== undefined) return row;
  throw new ServiceError('not_found', { what: `contract API ${called} in namespace ${where.namespace}` });
}

/** A selection of one API of a namespace. */
type OneApi = Where<'apis'> & { readonly namespace: string };

/**
 * Returns the interface that a request names, by id or by name and version.
 *
 * @throws ServiceError field_required, interface_not_found
 */
export function referredInterface(
  reader: Reader,
  namespace: string,
  { id, name, version }: InterfaceReference,
): Promise<InterfaceRow> {
  if (id !== undefined) {
    // Text that is not a UUID must not match any id.
    const known = uuidPattern.test(id.toLowerCase()) ? id.toLowerCase() : '';
    return findInterface(reader, { namespace, id: known }, id);
  }
  if (name === undefined || version === undefined) {
    throw new ServiceError('field_required', { field: 'interface', hint: ': its "id", or its "name" and "version"' });
  }
  return findInterface(reader, { namespace, name, version }, `${name}@${version}`);
}

function checkRequest(reader: Reader, namespace: string, request: ApiRequest): Promise<InterfaceRow> {
  refuseSystemNamespace(namespace);
  checkApiName('name', request.name);
  return referredInterface(reader, namespace, request.interface);
}

function newApi(
  namespace: string,
  { name, location }: ApiRequest,
  { id, interface: its }: { readonly id: string; readonly interface: string },
): NewRow<'apis'> {
  const at = location === undefined ? null : locationOf(readLocation(location));
  return {
    namespace,
    id,
    name,
    interface: its,
    location: at,
    message: null,
    networkName: null,
    published: false,
    pin: null,
  };
}

async function checkChange(reader: Reader, row: ApiRow, { name, location }: ApiRequest): Promise<void> {
  if (location !== undefined && locationOf(readLocation(location)) !== row.location) {
    throw new ServiceError('location_fixed', { address: readLocation(location) });
  }
  if (name === row.name) return;
  if (row.published || (await isOnItsWay(reader, row.message))) {
    throw new ServiceError('published_kept', { what: `The name of the contract API ${row.name}` });
  }
  await refuseName(reader, { namespace: row.namespace, name });
}

/**
 * Prepares another definition of a published API, signed by the key that published it; with any other key it would be
 * rejected.
 */
async function prepareAgain(parts: ApiParts, row: ApiRow, its: InterfaceRow): Promise<Prepared> {
  const key = await keyOfApi(parts.database, row);
  if (key === undefined || !parts.own.keys.includes(key)) {
    throw new ServiceError('published_kept', { what: `The contract API ${row.name} of another party` });
  }
  return prepare(parts, row, { its, networkName: row.networkName ?? row.name, key });
}

interface Sharing {
  readonly its: InterfaceRow;
  readonly networkName: string;
  readonly key?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Prepares the definition of an API. Its interface must be published, because others find it by its id.
 *
 * @throws ServiceError interface_not_published, bad_name
 */
async function prepare(
  { prepareDefinition }: ApiParts,
  { id, namespace, location }: NewRow<'apis'>,
  { its, networkName, key, idempotencyKey }: Sharing,
): Promise<Prepared> {
  checkApiName('networkName', networkName);
  if (!its.published) {
    throw new ServiceError('interface_not_published', { id: its.id, what: `the contract API ${networkName}` });
  }
  const at = location === null ? {} : { location: { address: readLocation(location) } };
  const record = { id, namespace, name: networkName, interface: { id: its.id }, ...at };
  const value = compact(write(ApiDefinition, record));
  return prepareDefinition({ tag: apiTag, topics: [definitionTopic(namespace)], value, key, idempotencyKey });
}

function confirmation({ namespace, id: reference }: NewRow<'apis'>, id: string, created: string): NewRow<'events'> {
  const type = 'contract_api_confirmed';
  return newDefinitionEvent({ namespace, id, type, reference, referenceHash: '', created });
}

async function refuseName(
  reader: Reader,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<void> {
  if (!(await reader.has('apis', { namespace, name }))) return;
  throw new ServiceError('name_used', { what: `The contract API ${name}`, namespace });
}

async function refuseNetworkName(reader: Reader, namespace: string, networkName: string): Promise<void> {
  if (!(await reader.has('apis', { namespace, networkName, published: true }))) return;
  throw new ServiceError('network_name_used', { what: `The contract API ${networkName}` });
}

async function refuseShared(reader: Reader, { published, message, name }: ApiRow): Promise<void> {
  if (published || (await isOnItsWay(reader, message))) {
    throw new ServiceError('already_published', { what: `The contract API ${name}` });
  }
}

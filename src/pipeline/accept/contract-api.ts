import { checkFreeName } from '../../domain/contract-definition.js';
import { locationOf, readLocation } from '../../domain/contract-location.js';
import { apiTag } from '../../domain/definition.js';
import { definitionTopic } from '../../domain/identity.js';
import type { Clock } from '../../ports/clock.js';
import type { ApiRow, InterfaceRow } from '../../ports/contract-tables.js';
import type { Database, Reader, Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import { ApiDefinition, type ApiRequest, type InterfaceReference } from '../../wire/contract.js';
import { ServiceError } from '../../wire/error.js';
import { write } from '../../wire/json.js';
import { compact } from '../../wire/json-reader.js';
import { type Condition, equal, oldestFirst } from '../../wire/query.js';
import { uuidPattern } from '../../wire/scalar.js';
import type { PublishRequest } from '../../wire/token.js';
import type { Bell, Bus } from '../bus.js';
import { newDefinitionEvent } from '../rows.js';
import { findInterface } from './contract-interface.js';
import type { Prepared, Sender } from './message.js';
import { isOnItsWay, refuseSystemNamespace, type Shared } from './share.js';

export interface ApiParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly prepareDefinition: Sender['prepareDefinition'];
}

/** Takes in contract APIs (S §16). */
export interface ApiAcceptance {
  /**
   * Keeps an API of this node, or sends it to all: then it is here when the order has confirmed it.
   *
   * @throws ServiceError bad_name, uuid_as_name, reserved_name, name_used, network_name_used, interface_not_found,
   * interface_not_published, bad_location, field_required, namespace_read_only
   */
  readonly acceptApi: (namespace: string, request: ApiRequest, isPublished: boolean) => Promise<Shared<NewRow<'apis'>>>;
  /**
   * Gives an API another interface, or one of this node alone another name. Of one that is published it is the
   * interface here that changes; what the others have they have by its definition.
   *
   * @throws ServiceError not_found, location_fixed, published_kept, and as `acceptApi`
   */
  readonly changeApi: (namespace: string, id: string, request: ApiRequest) => Promise<Shared<NewRow<'apis'>>>;
  /** Shares an API of this node. @throws ServiceError not_found, already_published, and as `acceptApi` */
  readonly publishApi: (namespace: string, name: string, request: PublishRequest) => Promise<Shared<NewRow<'apis'>>>;
  /** Forgets an API of this node. @throws ServiceError not_found, published_kept */
  readonly removeApi: (namespace: string, name: string) => Promise<void>;
}

/** What takes in contract APIs on a node. */
export function createApiAcceptance(parts: ApiParts): ApiAcceptance {
  const { database, bus, clock, random } = parts;

  return {
    async acceptApi(namespace, request, isPublished) {
      const its = await checkRequest(database, namespace, request);
      const row = newApi(namespace, request, { id: random.uuid(), interface: its.id });
      const networkName = request.networkName ?? row.name;
      const sent = isPublished ? await prepare(parts, row, { its, networkName }) : undefined;
      const message = sent?.message.header.id ?? null;
      // With a name of its own it is kept from now on; else it is here under the network's when that is decided.
      const isKept = sent === undefined || networkName !== row.name;
      const bells = await database.transaction(async (unit): Promise<readonly Bell[]> => {
        await refuseName(unit, row);
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

    async changeApi(namespace, id, request) {
      const its = await checkRequest(database, namespace, request);
      const changed = await database.transaction(async (unit) => {
        const row = await findApi(unit, namespace, equal('id', id), id);
        await checkChange(unit, row, request);
        const where = [equal('id', id)];
        await unit.update('apis', { namespace, where }, { name: request.name, interface: its.id });
        return { ...row, name: request.name, interface: its.id };
      });
      return { record: changed, message: undefined };
    },

    async publishApi(namespace, name, { networkName = name, idempotencyKey }) {
      refuseSystemNamespace(namespace);
      const row = await findApi(database, namespace, equal('name', name), name);
      await refuseShared(database, row);
      const its = await findInterface(database, namespace, [equal('id', row.interface)], row.interface);
      const sent = await prepare(parts, row, { its, networkName, idempotencyKey });
      const message = sent.message.header.id;
      const bells = await database.transaction(async (unit) => {
        const now = await findApi(unit, namespace, equal('id', row.id), name);
        await refuseShared(unit, now);
        await refuseNetworkName(unit, namespace, networkName);
        await unit.update('apis', { namespace, where: [equal('id', now.id)] }, { message });
        return sent.store(unit);
      });
      sent.announce(bells);
      return { record: { ...row, message, networkName }, message: sent.message };
    },

    async removeApi(namespace, name) {
      await database.transaction(async (unit) => {
        const row = await findApi(unit, namespace, equal('name', name), name);
        if (row.published || (await isOnItsWay(unit, row.message))) {
          throw new ServiceError('published_kept', { what: `The contract API ${name}` });
        }
        await unit.remove('apis', { namespace, where: [equal('id', row.id)] });
      });
    },
  };
}

/** The API that meets a condition; `called` names it in the error. @throws ServiceError not_found */
export async function findApi(reader: Reader, namespace: string, where: Condition, called: string): Promise<ApiRow> {
  const [row] = await reader.find('apis', { namespace, where: [where], sort: oldestFirst, limit: 1 });
  if (row === undefined)
    throw new ServiceError('not_found', { what: `contract API ${called} in namespace ${namespace}` });
  return row;
}

/**
 * The interface that a request refers to: by its id, or by name and version.
 *
 * @throws ServiceError field_required, interface_not_found
 */
export function referredInterface(
  reader: Reader,
  namespace: string,
  { id, name, version }: InterfaceReference,
): Promise<InterfaceRow> {
  if (id !== undefined) {
    // What is no id is the id of nothing.
    const where = [equal('id', uuidPattern.test(id.toLowerCase()) ? id.toLowerCase() : '')];
    return findInterface(reader, namespace, where, id);
  }
  if (name === undefined || version === undefined) {
    throw new ServiceError('field_required', { field: 'interface', hint: ': its "id", or its "name" and "version"' });
  }
  return findInterface(reader, namespace, [equal('name', name), equal('version', version)], `${name}@${version}`);
}

function checkRequest(reader: Reader, namespace: string, request: ApiRequest): Promise<InterfaceRow> {
  refuseSystemNamespace(namespace);
  checkFreeName('name', request.name);
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

async function checkChange(unit: Unit, row: ApiRow, { name, location, interface: its }: ApiRequest): Promise<void> {
  const { namespace } = row;
  if (location !== undefined && locationOf(readLocation(location)) !== row.location) {
    throw new ServiceError('location_fixed', { address: readLocation(location) });
  }
  const isShared = row.published || (await isOnItsWay(unit, row.message));
  if (name !== row.name) {
    if (isShared) throw new ServiceError('published_kept', { what: `The name of the contract API ${row.name}` });
    await refuseName(unit, { namespace, name });
  }
  await referredInterface(unit, namespace, its);
}

interface Sharing {
  readonly its: InterfaceRow;
  readonly networkName: string;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Others find the interface by its id, so it must be theirs too.
 *
 * @throws ServiceError interface_not_published, bad_name
 */
async function prepare(
  { prepareDefinition }: ApiParts,
  { id, namespace, location }: NewRow<'apis'>,
  { its, networkName, idempotencyKey }: Sharing,
): Promise<Prepared> {
  checkFreeName('networkName', networkName);
  if (!its.published) {
    throw new ServiceError('interface_not_published', { id: its.id, what: `the contract API ${networkName}` });
  }
  const at = location === null ? {} : { location: { address: readLocation(location) } };
  const record = { id, namespace, name: networkName, interface: { id: its.id }, ...at };
  const value = compact(write(ApiDefinition, record));
  return prepareDefinition({ tag: apiTag, topics: [definitionTopic(namespace)], value, idempotencyKey });
}

function confirmation({ namespace, id: reference }: NewRow<'apis'>, id: string, created: string): NewRow<'events'> {
  const type = 'contract_api_confirmed';
  return newDefinitionEvent({ namespace, id, type, reference, referenceHash: '', created });
}

async function refuseName(
  reader: Reader,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<void> {
  if ((await reader.count('apis', { namespace, where: [equal('name', name)] })) === 0) return;
  throw new ServiceError('name_used', { what: `The contract API ${name}`, namespace });
}

async function refuseNetworkName(reader: Reader, namespace: string, networkName: string): Promise<void> {
  const where = [equal('networkName', networkName), equal('published', true)];
  if ((await reader.count('apis', { namespace, where })) === 0) return;
  throw new ServiceError('network_name_used', { what: `The contract API ${networkName}` });
}

async function refuseShared(reader: Reader, { published, message, name }: ApiRow): Promise<void> {
  if (published || (await isOnItsWay(reader, message))) {
    throw new ServiceError('already_published', { what: `The contract API ${name}` });
  }
}

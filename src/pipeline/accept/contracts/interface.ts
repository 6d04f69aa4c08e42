import { checkFreeName } from '../../../domain/contracts/definition.js';
import { checkInterfaceParts, checkInterfaceText } from '../../../domain/contracts/limits.js';
import { partsOfInterface } from '../../../domain/contracts/ffi.js';
import { checkRecordName, interfaceTag } from '../../../domain/definition.js';
import { definitionTopic } from '../../../domain/network/identity.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Reader } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { InterfaceRow } from '../../../ports/tables/contract-tables.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { Where } from '../../../ports/tables/where.js';
import {
  type ContractInterface,
  type GenerateRequest,
  InterfaceDefinition,
  type InterfaceRequest,
} from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { write } from '../../../wire/json/json.js';
import { compact } from '../../../wire/json/json-reader.js';
import type { JsonText } from '../../../wire/scalar.js';
import type { PublishRequest } from '../../../wire/token.js';
import type { Bus } from '../../bus.js';
import type { Rulebook } from '../../state/rulebook.js';
import type { JudgeRequest } from '../../judging/requests.js';
import { interfaceRecord, readParts, writeParts } from '../../records/contracts.js';
import { newDefinitionEvent } from '../../state/events/event-row.js';
import type { Prepared, Sender } from '../../state/messages/sender.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { isOnItsWay, refuseSystemNamespace, type Shared } from '../share.js';

export interface InterfaceParts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly rulebook: Rulebook;
  readonly judgeRequest: JudgeRequest;
  readonly prepareDefinition: Sender['prepareDefinition'];
}

/** Accepts contract interfaces (docs/api.md §20). */
export interface InterfaceAcceptance {
  /**
   * Stores an interface on this node or, if published, sends its definition; it then exists once the order has
   * confirmed it.
   *
   * @throws ServiceError bad_name, uuid_as_name, reserved_name, interface_exists, network_name_used,
   * definition_nameless, bad_parameter_schema, namespace_read_only, too_many, too_long, stopping, judge_busy,
   * judgement_given_up
   */
  readonly acceptInterface: (
    namespace: string,
    request: InterfaceRequest,
    isPublished: boolean,
  ) => Promise<Shared<ContractInterface>>;
  /**
   * Publishes a local interface.
   *
   * @throws ServiceError interface_not_found, already_published, network_name_used, bad_name, too_long,
   * idempotency_key_used
   */
  readonly publishInterface: (
    namespace: string,
    wanted: { readonly name: string; readonly version: string },
    request: PublishRequest,
  ) => Promise<Shared<ContractInterface>>;
  /** Deletes a local interface. @throws ServiceError interface_not_found, published_kept, interface_used */
  readonly removeInterface: (namespace: string, id: string) => Promise<void>;
}

export function createInterfaceAcceptance(parts: InterfaceParts): InterfaceAcceptance {
  const { database, bus, clock, random } = parts;

  return {
    async acceptInterface(namespace, request, isPublished) {
      const { interfaces: limits } = await parts.rulebook.rules(database);
      checkInterfaceParts(partsOfInterface(request), limits);
      const row = await newInterface(parts.judgeRequest, namespace, request, random.uuid());
      const { name } = row;
      const networkName = request.networkName ?? name;
      if (isPublished) checkFreeName('networkName', networkName);
      else checkInterfaceText(definitionOf(row, name), limits);
      const sent = isPublished ? await prepare(parts, row, networkName) : undefined;
      const message = sent?.message.header.id ?? null;
      // With another local name it is stored now; otherwise once its definition is confirmed.
      const isKept = sent === undefined || networkName !== name;
      const bells = await database.transaction(async (unit) => {
        await refuseName(unit, row);
        if (isPublished) await refuseNetworkName(unit, row, networkName);
        if (isKept) await unit.insert('interfaces', [{ ...row, message }]);
        if (sent !== undefined) return sent.store(unit);
        await unit.insert('events', [confirmation(row, random.uuid(), clock.now())]);
        return ['events'] as const;
      });
      if (sent === undefined) bus.ring(...bells);
      else sent.announce(bells);
      const shown = sent === undefined ? row : { ...row, message, networkName };
      return { record: interfaceRecord(shown, { hasChildren: true }), message: sent?.message };
    },

    async publishInterface(namespace, wanted, { networkName = wanted.name, idempotencyKey }) {
      refuseSystemNamespace(namespace);
      checkFreeName('networkName', networkName);
      checkIdempotencyKey(idempotencyKey);
      const { name, version } = wanted;
      const row = await findInterface(database, { namespace, name, version }, `${name}@${version}`);
      // A repeated request gets the answer of the first one when it is stored.
      if (idempotencyKey === undefined) await refuseShared(database, row);
      const sent = await prepare(parts, row, networkName, idempotencyKey);
      const message = sent.message.header.id;
      const bells = await database.transaction(async (unit) => {
        const rung = await sent.store(unit);
        const now = await findInterface(unit, { namespace, name, version }, row.id);
        await refuseShared(unit, now);
        await refuseNetworkName(unit, now, networkName);
        await unit.update('interfaces', { namespace, id: now.id }, { message });
        return rung;
      });
      sent.announce(bells);
      return {
        record: interfaceRecord({ ...row, message, networkName }, { hasChildren: true }),
        message: sent.message,
      };
    },

    async removeInterface(namespace, id) {
      await database.transaction(async (unit) => {
        const row = await findInterface(unit, { namespace, id }, id);
        if (row.published || (await isOnItsWay(unit, row.message))) {
          throw new ServiceError('published_kept', { what: `The interface ${row.name}@${row.version}` });
        }
        // A listener has a copy of its events, and a pool one of its methods; an API needs the interface.
        const api = await unit.first('apis', { namespace, interface: id });
        if (api !== undefined) {
          throw new ServiceError('interface_used', { what: `${row.name}@${row.version}`, api: api.name });
        }
        await unit.remove('interfaces', { namespace, id });
      });
    },
  };
}

/**
 * Derives an interface from a contract's ABI, without storing it (docs/api.md §20).
 *
 * @throws ServiceError field_required, bad_abi, judge_busy, judgement_given_up
 */
export async function generateInterface(
  judgeRequest: JudgeRequest,
  namespace: string,
  request: GenerateRequest,
): Promise<ContractInterface> {
  const { name = '', version = '', description = '', input } = request;
  if (input.abi === undefined) throw new ServiceError('field_required', { field: 'input.abi', hint: '' });
  const { methods, events, errors } = await judgeRequest('abi', input.abi, 'the ABI');
  const parts = { methods: [...methods], events: [...events], errors: [...errors] };
  return { namespace, name, description, version, ...parts };
}

/**
 * Returns the interface that is selected; `called` names it in the error.
 *
 * @throws ServiceError interface_not_found
 */
export async function findInterface(
  reader: Reader,
  where: Where<'interfaces'> & { readonly namespace: string },
  called: string,
): Promise<InterfaceRow> {
  const row = await reader.first('interfaces', where);
  if (row === undefined) throw new ServiceError('interface_not_found', { what: called, namespace: where.namespace });
  return row;
}

async function newInterface(
  judgeRequest: JudgeRequest,
  namespace: string,
  request: InterfaceRequest,
  id: string,
): Promise<NewRow<'interfaces'>> {
  refuseSystemNamespace(namespace);
  const { name, version, description = '' } = request;
  checkFreeName('name', name);
  checkRecordName('version', version);
  const parts = writeParts(await judgeRequest('parts', partsOfInterface(request), 'the interface'));
  const local = { message: null, networkName: null, published: false, pin: null } as const;
  return { namespace, id, name, version, description, ...parts, ...local };
}

/** Prepares the definition without derived members, which every node computes itself. */
async function prepare(
  { database, rulebook, prepareDefinition }: InterfaceParts,
  row: NewRow<'interfaces'>,
  networkName: string,
  idempotencyKey?: string,
): Promise<Prepared> {
  const value = definitionOf(row, networkName);
  checkInterfaceText(value, (await rulebook.rules(database)).interfaces);
  const topics = [definitionTopic(row.namespace)];
  return prepareDefinition({ tag: interfaceTag, topics, value, idempotencyKey });
}

function definitionOf(row: NewRow<'interfaces'>, networkName: string): JsonText {
  const { id, namespace, description, version } = row;
  const record = { id, namespace, name: networkName, description, version, ...withDescriptions(row) };
  return compact(write(InterfaceDefinition, record));
}

function withDescriptions(row: NewRow<'interfaces'>): Pick<InterfaceDefinition, 'methods' | 'events' | 'errors'> {
  const { methods, events, errors } = readParts(row);
  const described = <T extends { readonly description?: string }>(part: T) => ({ description: '', ...part });
  return {
    methods: methods.map(described),
    events: events.map(described),
    errors: errors.map(described),
  };
}

function confirmation(row: NewRow<'interfaces'>, id: string, created: string): NewRow<'events'> {
  const { namespace, id: reference } = row;
  const type = 'contract_interface_confirmed';
  return newDefinitionEvent({ namespace, id, type, reference, referenceHash: '', created });
}

async function refuseName(reader: Reader, { namespace, name, version }: NewRow<'interfaces'>): Promise<void> {
  if (!(await reader.has('interfaces', { namespace, name, version }))) return;
  throw new ServiceError('interface_exists', { name, version, namespace });
}

async function refuseNetworkName(reader: Reader, row: NewRow<'interfaces'>, networkName: string): Promise<void> {
  const { namespace, version } = row;
  if (!(await reader.has('interfaces', { namespace, networkName, version, published: true }))) return;
  throw new ServiceError('network_name_used', { what: `The interface ${networkName}@${version}` });
}

async function refuseShared(reader: Reader, { published, message, name, version }: InterfaceRow): Promise<void> {
  if (published || (await isOnItsWay(reader, message))) {
    throw new ServiceError('already_published', { what: `The interface ${name}@${version}` });
  }
}

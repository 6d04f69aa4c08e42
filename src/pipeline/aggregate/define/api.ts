import { readApiDefinition } from '../../../domain/contract-definition.js';
import { locationOf } from '../../../domain/contract-location.js';
import { identityId } from '../../../domain/identity.js';
import type { Unit } from '../../../ports/database.js';
import type { ApiDefinition } from '../../../wire/contract.js';
import { ServiceError } from '../../../wire/error.js';
import { equal } from '../../../wire/query.js';
import { interfaceFact } from './interface.js';
import { freeName, otherIdSource } from './local-name.js';
import type { Definition, DefinitionRule, FactParts, Judged } from './rule.js';

/**
 * `svc_define_contract_api`: any member may share an API of an interface that is shared; the first name wins (S §8.8).
 */
export const apiRule: DefinitionRule = {
  async judge(parts, { message, text }) {
    const { record, refusal } = readApiDefinition(message.topics, text);
    return record === undefined ? { refusal } : judge(parts, record);
  },

  async apply(unit, definition) {
    const { message, text, own } = definition;
    const { record } = readApiDefinition(message.topics, text);
    if (record === undefined) return undefined;
    const { id, namespace } = record;
    // Anybody may use the ids of our message in one of his own.
    const isOwn = own.keys.includes(message.key);
    return {
      id,
      namespace,
      write: () => share(unit, record, { ...definition, isOwn }),
      drop: () => (isOwn ? takeBack(unit, record, message.id) : Promise.resolve()),
    };
  },

  event: 'contract_api_confirmed',
};

async function judge({ unit, noted }: FactParts, record: ApiDefinition): Promise<Judged> {
  const { id, namespace, name, interface: its } = record;
  const [nameFact, idFact] = [`api:${namespace}/${name}`, `api-id:${namespace}/${id}`];
  const isPublished = equal('published', true);
  const named = [equal('networkName', name), isPublished];
  if (noted.has(nameFact) || (await unit.count('apis', { namespace, where: named })) > 0) {
    return { refusal: new ServiceError('definition_name_taken', { what: `The contract API ${name}` }).message };
  }
  if (noted.has(idFact) || (await unit.count('apis', { namespace, where: [equal('id', id), isPublished] })) > 0) {
    return { refusal: new ServiceError('definition_id_taken', { id }).message };
  }
  const ofInterface = [equal('id', its.id), isPublished];
  const isThere =
    noted.has(interfaceFact(namespace, its.id)) ||
    (await unit.count('interfaces', { namespace, where: ofInterface })) > 0;
  if (!isThere) return { refusal: new ServiceError('definition_unknown_interface', { id: its.id }).message };
  return {
    note() {
      noted.add(nameFact);
      noted.add(idFact);
    },
  };
}

/** A definition, and whether it is of this node. */
type Shared = Definition & { readonly isOwn: boolean };

/** The one that this node has sent becomes what everybody has; any other comes beside those of this node. */
async function share(unit: Unit, record: ApiDefinition, { message, place: pin, isOwn }: Shared): Promise<void> {
  const { id, namespace, name: networkName, interface: its, location } = record;
  const shared = { message: message.id, networkName, published: true, pin } as const;
  const own = [equal('id', id), equal('message', message.id)];
  if (isOwn && (await unit.update('apis', { namespace, where: own }, shared)) > 0) return;
  // One of this node alone that has the same id goes on under another: nothing refers to it.
  const other = identityId(otherIdSource(id, message.hash));
  await unit.update('apis', { namespace, where: [equal('id', id)] }, { id: other });
  const name = await freeName(unit, 'apis', { namespace, name: networkName });
  const at = location === undefined ? null : locationOf(location.address);
  await unit.insert('apis', [{ namespace, id, name, interface: its.id, location: at, ...shared }]);
}

/** It stays what it was: an API of this node alone, which may be published under another name. */
async function takeBack(unit: Unit, { id, namespace }: ApiDefinition, message: string): Promise<void> {
  const where = [equal('id', id), equal('message', message), equal('published', false)];
  await unit.update('apis', { namespace, where }, { message: null });
}

import { readInterfaceDefinition, type ReadInterface } from '../../../domain/contract-definition.js';
import { identityId } from '../../../domain/identity.js';
import type { Unit } from '../../../ports/database.js';
import { ServiceError } from '../../../wire/error.js';
import { equal, oldestFirst } from '../../../wire/query.js';
import { writeParts } from '../../contract-records.js';
import { freeName, otherIdSource } from './local-name.js';
import type { Definition, DefinitionRule, FactParts, Judged } from './rule.js';

/** `svc_define_ffi`: any member may share an interface; the first of a network name and version wins (S §8.8). */
export const interfaceRule: DefinitionRule = {
  async judge(parts, { message, text }) {
    const { record, refusal } = readInterfaceDefinition(message.topics, text);
    return record === undefined ? { refusal } : judge(parts, record);
  },

  async apply(unit, definition) {
    const { message, text, own } = definition;
    const { record } = readInterfaceDefinition(message.topics, text);
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

  event: 'contract_interface_confirmed',
};

/** What is published is what the order has decided: the same on every node, whatever else a node has for itself. */
async function judge({ unit, noted }: FactParts, { id, namespace, name, version }: ReadInterface): Promise<Judged> {
  const [nameFact, idFact] = [`interface:${namespace}/${name}/${version}`, interfaceFact(namespace, id)];
  const named = [equal('networkName', name), equal('version', version), equal('published', true)];
  if (noted.has(nameFact) || (await unit.count('interfaces', { namespace, where: named })) > 0) {
    return { refusal: new ServiceError('definition_name_taken', { what: `The interface ${name}@${version}` }).message };
  }
  const sameId = [equal('id', id), equal('published', true)];
  if (noted.has(idFact) || (await unit.count('interfaces', { namespace, where: sameId })) > 0) {
    return { refusal: new ServiceError('definition_id_taken', { id }).message };
  }
  return {
    note() {
      noted.add(nameFact);
      noted.add(idFact);
    },
  };
}

/** Name of the fact that an interface is shared. */
export function interfaceFact(namespace: string, id: string): string {
  return `interface-id:${namespace}/${id}`;
}

/** A definition, and whether it is of this node. */
type Shared = Definition & { readonly isOwn: boolean };

/** The one that this node has sent becomes what everybody has; any other comes beside those of this node. */
async function share(unit: Unit, record: ReadInterface, { message, place: pin, isOwn }: Shared): Promise<void> {
  const { id, namespace, name: networkName, version, description, parts } = record;
  const shared = { message: message.id, networkName, published: true, pin } as const;
  const own = [equal('id', id), equal('message', message.id)];
  if (isOwn && (await unit.update('interfaces', { namespace, where: own }, shared)) > 0) return;
  await makeRoom(unit, record, message.hash);
  const name = await freeName(unit, 'interfaces', {
    namespace,
    name: networkName,
    where: [equal('version', version)],
  });
  const row = { namespace, id, name, version, description, ...writeParts(parts), ...shared };
  await unit.insert('interfaces', [row]);
}

/** One of this node alone that has the same id goes on under another, and its APIs and listeners with it. */
async function makeRoom(unit: Unit, { namespace, id }: ReadInterface, hash: string): Promise<void> {
  const other = identityId(otherIdSource(id, hash));
  const where = [equal('id', id)];
  const [local] = await unit.find('interfaces', { namespace, where, sort: oldestFirst, limit: 1 });
  if (local === undefined) return;
  await unit.update('interfaces', { namespace, where }, { id: other });
  for (const table of ['apis', 'listeners', 'pools'] as const) {
    await unit.update(table, { namespace, where: [equal('interface', id)] }, { interface: other });
  }
}

/** It stays what it was: an interface of this node alone, which may be published under another name. */
async function takeBack(unit: Unit, { id, namespace }: ReadInterface, message: string): Promise<void> {
  const where = [equal('id', id), equal('message', message), equal('published', false)];
  await unit.update('interfaces', { namespace, where }, { message: null });
}

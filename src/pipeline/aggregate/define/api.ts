import { readApiDefinition } from '../../../domain/contracts/definition.js';
import { locationOf } from '../../../domain/contracts/location.js';
import type { ApiDefinition } from '../../../wire/contracts/contract.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { keyOfApi } from '../../state/contracts/api-key.js';
import { interfaceFact } from './interface.js';
import { freeName, otherId } from './local-name.js';
import type { DefinitionRule, FactParts } from './rule.js';
import { createSharingRule, refusalOfNames } from './sharing.js';

/**
 * `svc_define_contract_api`: any member may publish an API of a published interface; the first definition of a name
 * wins (docs/protocol.md §9.5). Its author may change the interface by defining the same API again (docs/api.md §20).
 */
export const apiRule: DefinitionRule = createSharingRule<ApiDefinition>({
  table: 'apis',
  event: 'contract_api_confirmed',
  read: readApiDefinition,

  async judge(parts, record, { message: { key } }) {
    const { id, namespace, name, interface: its } = record;
    const [nameFact, idFact] = [`api:${namespace}/${name}`, `api-id:${namespace}/${id}`];
    const ownFact = `api-of:${key}/${namespace}/${name}/${id}/${locationIn(record) ?? ''}`;
    const named = { networkName: name };
    const names = { namespace, id, idFact, nameFact, named, what: `The contract API ${name}` };
    const isAgain = parts.noted.has(ownFact) || (await isOf(parts, record, key));
    const refusal = isAgain ? undefined : await refusalOfNames(parts, { table: 'apis', ...names });
    if (refusal !== undefined) return { refusal };
    if (!(await hasInterface(parts, namespace, its.id))) {
      return { refusal: new ServiceError('definition_unknown_interface', { id: its.id }).message };
    }
    return { note: () => [nameFact, idFact, ownFact].forEach((fact) => parts.noted.add(fact)) };
  },

  async change(unit, { id, namespace, interface: its }, { message, pin }) {
    return (await unit.update('apis', { namespace, id, published: true }, { interface: its.id, message, pin })) > 0;
  },

  async insert(unit, record, columns, { hash }) {
    const { id, namespace, name: networkName, interface: its } = record;
    // A local API with the same id gets another id; nothing refers to it.
    if (await unit.has('apis', { namespace, id })) {
      await unit.update('apis', { namespace, id }, { id: await otherId(unit, 'apis', { namespace, id, hash }) });
    }
    const name = await freeName(unit, 'apis', { namespace, name: networkName });
    await unit.insert('apis', [{ namespace, id, name, interface: its.id, location: locationIn(record), ...columns }]);
  },
});

function locationIn({ location }: ApiDefinition) {
  return location === undefined ? null : locationOf(location.address);
}

/** Whether this key has published the same API before, perhaps with another interface. */
async function isOf({ unit }: FactParts, record: ApiDefinition, key: string): Promise<boolean> {
  const { id, namespace, name } = record;
  const row = await unit.first('apis', { namespace, id, networkName: name, published: true });
  return row !== undefined && row.location === locationIn(record) && (await keyOfApi(unit, row)) === key;
}

async function hasInterface({ unit, noted }: FactParts, namespace: string, id: string): Promise<boolean> {
  if (noted.has(interfaceFact(namespace, id))) return true;
  return unit.has('interfaces', { namespace, id, published: true });
}

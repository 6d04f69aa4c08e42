import type { ReadInterface } from '../../../domain/contracts/definition.js';
import type { Unit } from '../../../ports/database.js';
import { writeParts } from '../../records/contracts.js';
import { freeName, otherId } from './local-name.js';
import type { DefinitionRule } from './rule.js';
import { createSharingRule, refusalOfNames } from './sharing.js';

/**
 * `svc_define_ffi`: any member may publish an interface; the first definition of a network name and version wins
 * (docs/protocol.md §9.4).
 */
export const interfaceRule: DefinitionRule = createSharingRule<ReadInterface>({
  table: 'interfaces',
  event: 'contract_interface_confirmed',
  read(topics, text, { rules: { interfaces }, unitJudge }) {
    const found = unitJudge.answer(
      'interface',
      { topics, text, rules: { interfaces } },
      'the definition of an interface',
    );
    return 'waits' in found ? found : found.answer;
  },

  async judge(parts, { id, namespace, name, version }) {
    const [nameFact, idFact] = [`interface:${namespace}/${name}/${version}`, interfaceFact(namespace, id)];
    const named = { networkName: name, version };
    const what = `The interface ${name}@${version}`;
    const names = { table: 'interfaces', namespace, id, idFact, nameFact, named, what } as const;
    const refusal = await refusalOfNames(parts, names);
    if (refusal !== undefined) return { refusal };
    return { note: () => [nameFact, idFact].forEach((fact) => parts.noted.add(fact)) };
  },

  async insert(unit, record, columns, { hash }) {
    await makeRoom(unit, record, hash);
    const { id, namespace, name: networkName, version, description, parts } = record;
    const name = await freeName(unit, 'interfaces', { namespace, name: networkName, version });
    const row = { namespace, id, name, version, description, ...writeParts(parts), ...columns };
    await unit.insert('interfaces', [row]);
  },
});

export function interfaceFact(namespace: string, id: string): string {
  return `interface-id:${namespace}/${id}`;
}

/** Gives a local interface with the same id another id, also in the APIs, listeners and pools that refer to it. */
async function makeRoom(unit: Unit, { namespace, id }: ReadInterface, hash: string): Promise<void> {
  if (!(await unit.has('interfaces', { namespace, id }))) return;
  const other = await otherId(unit, 'interfaces', { namespace, id, hash });
  await unit.update('interfaces', { namespace, id }, { id: other });
  for (const table of ['apis', 'listeners', 'pools'] as const) {
    await unit.update(table, { namespace, interface: id }, { interface: other });
  }
}

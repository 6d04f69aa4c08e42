import { sha256 } from '../../src/domain/hash.js';
import { textOf } from '../../src/wire/json.js';
import type { JsonText } from '../../src/wire/scalar.js';
import { datatypeNames, kinds, schemaOf } from './draft.js';
import type { HostileMeans, Tricks } from './hostile.js';
import type { Surroundings } from './life.js';

type Random = Surroundings['scheduler']['random'];

/** What a hostile member does with definitions and what they define; the oracle judges it by its place. */
export function createHostileDatatypes(means: HostileMeans): Tricks {
  const { surroundings, store, oracle, forge, pin, publishAndPin } = means;
  const { scheduler } = surroundings;
  const { random } = scheduler;

  const pick = <T>(choices: readonly T[]): T => pickOf(random, choices);

  function definition(changes: { readonly id?: string; readonly name?: string; readonly schema?: JsonText } = {}) {
    const { id = random.uuid(), name = pick(datatypeNames), schema = schemaOf(pick(kinds)) } = changes;
    const record = { id, validator: 'json', namespace: 'default', name, version: '1', hash: sha256(schema) };
    const value = `${textOf(record).slice(0, -1)},"value":${schema}}` as JsonText;
    const header = { namespace: 'svc_system', topics: ['svc_ns_default'], tag: 'svc_define_datatype' };
    return forge({ ...header, type: 'definition', value });
  }

  return {
    defines: () => publishAndPin(definition()),
    definesAnId() {
      const [first] = oracle.datatypes().winners();
      if (first !== undefined) publishAndPin(definition({ id: first.id, name: 'other' }));
    },
    definesNoSchema: () => publishAndPin(definition({ schema: '{"type":"text"}' as JsonText })),
    /** All that name a datatype wait for it. */
    definesLate() {
      const { text, call } = definition();
      oracle.learnPayload(text);
      pin(call);
      const bytes = new TextEncoder().encode(text);
      scheduler.after(random.integer(10_000), 'hostile', 'releases a definition', () => void store.put(bytes));
    },
    /** Its own node has not looked whether the value conforms. */
    namesDatatype: () => publishAndPin(forge(drawTyped(random))),
    namesDatatypeAgain: () => publishAndPin(forge(drawTyped(random))),
  };
}

/** A value and a datatype to which it may conform. */
export function drawTyped(random: Random) {
  const value = textOf({ kind: pickOf(random, kinds), number: random.integer(1_000_000_000) });
  return { value, datatype: { name: pickOf(random, datatypeNames), version: '1' } };
}

function pickOf<T>(random: Random, choices: readonly T[]): T {
  const choice = choices[random.integer(choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

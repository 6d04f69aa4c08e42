import { sha256 } from '../../src/domain/hash.js';
import { readPayload } from '../../src/domain/messages/verify.js';
import type { PayloadData } from '../../src/wire/messages/batch.js';
import { textOf } from '../../src/wire/json/json.js';
import type { JsonText } from '../../src/wire/scalar.js';
import { datatypeNames, kinds, schemaOf } from './draft.js';
import type { HostileMeans, Tricks } from './hostile.js';
import type { Simulator } from './life.js';

type Random = Simulator['scheduler']['random'];

/** The hostile member's tricks with definitions and datatypes; the oracle judges them by their positions. */
export function createHostileDatatypes(means: HostileMeans): Tricks {
  const { simulator, store, oracle, forge, pin, publishAndPin, honestPayload } = means;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;

  const pick = <T>(choices: readonly T[]): T => pickOf(random, choices);

  function definition(changes: { readonly id?: string; readonly name?: string; readonly schema?: JsonText } = {}) {
    const { id = random.uuid(), name = pick(datatypeNames), schema = schemaOf(pick(kinds)) } = changes;
    const record = { id, validator: 'json', namespace: 'default', name, version: '1', hash: sha256(schema) };
    const value = `${textOf(record).slice(0, -1)},"value":${schema}}` as JsonText;
    const header = { namespace: 'svc_system', topics: ['svc_ns_default'], tag: 'svc_define_datatype' };
    return forge({ ...header, type: 'definition', value });
  }

  /** Finds an item in a broadcast of an honest party. */
  function honestItem(isMeant: (item: PayloadData) => boolean): PayloadData | undefined {
    const read = readPayload(honestPayload() ?? '');
    return read.status === 'valid' ? read.payload.data.find(isMeant) : undefined;
  }

  return {
    defines: () => publishAndPin(definition()),
    definesAnId() {
      const [first] = oracle.datatypes().winners();
      if (first !== undefined) publishAndPin(definition({ id: first.id, name: 'other' }));
    },
    definesNoSchema: () => publishAndPin(definition({ schema: '{"type":"text"}' as JsonText })),
    /** Publishes a definition late, so that all messages with its datatype wait. */
    definesLate() {
      const { text, call } = definition();
      oracle.learnPayload(text);
      pin(call);
      const bytes = new TextEncoder().encode(text);
      scheduler.after(random.integer(10_000), 'hostile', 'releases a definition', () => void store.put(bytes));
    },
    /** The hostile node has not validated the value. */
    namesDatatype: () => publishAndPin(forge(drawTyped(random))),
    /** Reuses another party's item, with the same hash but another datatype or none. */
    describesOtherwise() {
      const item = honestItem(({ value, blob }) => value !== undefined && blob === undefined);
      if (item?.value === undefined) return;
      sometimes('data described otherwise');
      const typed = item.datatype === undefined ? { datatype: drawTyped(random).datatype } : {};
      publishAndPin(forge({ dataId: item.id, value: item.value, ...typed }));
    },
    /** Does the same, but declares the value's bytes to be a file. */
    describesAsFile() {
      const item = honestItem(({ value, blob }) => value !== undefined && blob === undefined);
      if (item?.value === undefined) return;
      const bytes = new TextEncoder().encode(item.value);
      const reference = sha256(bytes);
      void store.put(bytes);
      const blob = { hash: reference, size: bytes.length, public: reference };
      publishAndPin(forge({ dataId: item.id, value: item.value, hasNoValue: true, blob }));
    },
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

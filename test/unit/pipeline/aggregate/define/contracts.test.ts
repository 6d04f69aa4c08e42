import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { currentRules, firstRules, type NetworkRules } from '../../../../../src/domain/network/network-rules.js';
import { apiRule } from '../../../../../src/pipeline/aggregate/define/api.js';
import { interfaceRule } from '../../../../../src/pipeline/aggregate/define/interface.js';
import { createTypedVerdicts } from '../../../../../src/pipeline/aggregate/typed.js';
import { createKnownDatatypes } from '../../../../../src/pipeline/aggregate/define/known.js';
import { createKnownPools } from '../../../../../src/pipeline/aggregate/define/tokens/known-pools.js';
import { createKnownAnswers } from '../../../../../src/pipeline/judging/known.js';
import { createUnitJudge } from '../../../../../src/pipeline/judging/unit-judge.js';
import type { DefinitionRule } from '../../../../../src/pipeline/aggregate/define/rule.js';
import { writeParts } from '../../../../../src/pipeline/records/contracts.js';
import { newMessage } from '../../../../../src/pipeline/state/messages/message-row.js';
import type { Unit } from '../../../../../src/ports/database.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { sealMessage } from '../../../../../src/domain/messages/message.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

const namespace = 'default';
const now = createManualClock().now();
const random = createSeededRandom(1);
const key = `0x${'b'.repeat(40)}`;
const own = { keys: [key] };

/** Returns a definition in a message whose id is the number. */
function aDefinition(number: number, text: JsonText) {
  const [type, txtype, author] = ['definition', 'batch_pin', 'did:parley:org/bob'] as const;
  const [id, topics] = [uuid(number), [`svc_ns_${namespace}`]];
  const header = { id, type, txtype, author, key, created: now, namespace: 'svc_system', topics };
  const sealed = sealMessage(header, []);
  const message = { ...newMessage(sealed, { items: new Map(), state: 'ready', pins: [] }), sequence: number };
  return { message, text, place: number, block: number };
}

/** The same definition by another member. */
function byAnother(definition: ReturnType<typeof aDefinition>) {
  return { ...definition, message: { ...definition.message, key: `0x${'c'.repeat(40)}` } };
}

const anInterface = (id: string, name: string) =>
  textOf({ id, namespace, name, description: '', version: '1', methods: [], events: [], errors: [] });
const anApi = (id: string, name: string, its: string) => textOf({ id, namespace, name, interface: { id: its } });

const parts = writeParts({ methods: [], events: [], errors: [] });
const local = { message: null, networkName: null, published: false, pin: null };
const localInterface = (id: string, name: string, changes = {}): NewRow<'interfaces'> => ({
  namespace,
  id,
  name,
  description: '',
  version: '1',
  ...parts,
  ...local,
  ...changes,
});
const localApi = (id: string, name: string, its: string): NewRow<'apis'> => ({
  namespace,
  id,
  name,
  interface: its,
  location: null,
  ...local,
});

/** Returns the pin of the definition with this number: the sequence of pins begins at 1. */
function aPin(index: number): NewRow<'pins'> {
  const place = {
    batch: uuid(70 + index),
    batchHash: 'b'.repeat(64),
    signer: key,
    identity: 'did:parley:org/bob',
    index,
  };
  return { namespace: 'svc_system', context: 'c', masked: false, ...place, spent: true, block: index, created: now };
}

/** Creates a database with a step that decides definitions. */
function aScene(rules: NetworkRules = currentRules) {
  const database = createMemoryDatabase();

  /** Judges each definition before it writes any, as a step of aggregate does. */
  function step(...definitions: readonly [DefinitionRule, ReturnType<typeof aDefinition>][]) {
    return database.transaction(async (unit) => {
      const facts = factsOf(unit);
      const verdicts: string[] = [];
      const writes: (() => Promise<void>)[] = [];
      for (const [rule, definition] of definitions) {
        const judged = await rule.judge(facts, definition);
        judged.note?.();
        verdicts.push(judged.refusal?.slice(0, 7) ?? 'confirmed');
        const subject = await rule.apply(unit, { ...definition, now, own, rules, unitJudge: facts.unitJudge });
        const write = judged.refusal === undefined ? subject?.write : subject?.drop;
        if (write !== undefined) writes.push(write);
      }
      for (const write of writes) await write();
      return verdicts;
    });
  }

  function factsOf(unit: Unit) {
    const caches = { known: createKnownDatatypes(unit), pools: createKnownPools(unit), noted: new Set<string>() };
    const unitJudge = createUnitJudge(createDirectJudge({ isNow: () => true }), createKnownAnswers());
    return {
      unit,
      unitJudge,
      verdicts: createTypedVerdicts(),
      connectors: new Map(),
      own,
      now,
      random,
      rules,
      ...caches,
    };
  }

  return { database, step };
}

describe('the definition of an interface', () => {
  const event = { name: 'Changed', description: '', params: [] };
  const large = textOf({
    id: uuid(11),
    namespace,
    name: 'large',
    description: '',
    version: '1',
    methods: [],
    events: new Array(1_001).fill(event),
    errors: [],
  });

  it('is rejected beyond the limits of the network, and nothing is stored', async () => {
    const { step, database } = aScene();
    expect(await step([interfaceRule, aDefinition(1, large)])).toEqual(['FF10403']);
    expect(await rowsOf(database, 'interfaces')).toEqual([]);
  });

  it('has no limits in a network whose rules have none', async () => {
    const { step, database } = aScene(firstRules);
    expect(await step([interfaceRule, aDefinition(1, large)])).toEqual(['confirmed']);
    expect(await rowsOf(database, 'interfaces')).toHaveLength(1);
  });

  it('has a unique name and version, within a step and across steps', async () => {
    const { step, database } = aScene();
    const [first, second] = [
      aDefinition(1, anInterface(uuid(11), 'box')),
      aDefinition(2, anInterface(uuid(12), 'box')),
    ];
    expect(await step([interfaceRule, first], [interfaceRule, second])).toEqual(['confirmed', 'FF10407']);
    expect(await step([interfaceRule, aDefinition(3, anInterface(uuid(13), 'box'))])).toEqual(['FF10407']);
    expect(await rowsOf(database, 'interfaces')).toMatchObject([
      { id: uuid(11), name: 'box', networkName: 'box', published: true, message: uuid(1), pin: 1 },
    ]);
  });

  it('has a unique id', async () => {
    const { step } = aScene();
    const [first, second] = [aDefinition(1, anInterface(uuid(11), 'a')), aDefinition(2, anInterface(uuid(11), 'b'))];
    expect(await step([interfaceRule, first], [interfaceRule, second])).toEqual(['confirmed', 'FF10404']);
    expect(await step([interfaceRule, aDefinition(3, anInterface(uuid(11), 'c'))])).toEqual(['FF10404']);
  });

  it('is refused if it is invalid', async () => {
    expect(await aScene().step([interfaceRule, aDefinition(1, textOf({}))])).toEqual(['FF10400']);
    expect(await aScene().step([apiRule, aDefinition(1, textOf({}))])).toEqual(['FF10400']);
  });

  it('of this node publishes its local interface, which keeps its local name', async () => {
    const { step, database } = aScene();
    const mine = localInterface(uuid(11), 'mine', { message: uuid(1) });
    await database.transaction((unit) => unit.insert('interfaces', [mine]));
    await step([interfaceRule, aDefinition(1, anInterface(uuid(11), 'box'))]);
    expect(await rowsOf(database, 'interfaces')).toMatchObject([{ name: 'mine', networkName: 'box', published: true }]);
  });

  it('of another key with the ids of a local interface leaves that interface local', async () => {
    const { step, database } = aScene();
    const mine = localInterface(uuid(11), 'mine', { message: uuid(1) });
    await database.transaction((unit) => unit.insert('interfaces', [mine]));
    await step([interfaceRule, byAnother(aDefinition(1, anInterface(uuid(11), 'box')))]);
    expect(await rowsOf(database, 'interfaces')).toMatchObject([
      { name: 'mine', published: false },
      { id: uuid(11), name: 'box', published: true },
    ]);
  });

  it('of this node, if rejected, leaves its interface local', async () => {
    const { step, database } = aScene();
    const mine = localInterface(uuid(12), 'mine', { message: uuid(2) });
    await database.transaction((unit) => unit.insert('interfaces', [mine]));
    const first = aDefinition(1, anInterface(uuid(11), 'box'));
    expect(await step([interfaceRule, first], [interfaceRule, aDefinition(2, anInterface(uuid(12), 'box'))])).toEqual([
      'confirmed',
      'FF10407',
    ]);
    expect(await rowsOf(database, 'interfaces')).toMatchObject([
      { id: uuid(12), name: 'mine', message: null, published: false },
      { id: uuid(11), name: 'box' },
    ]);
  });

  it('of another node gets another local name if its name is taken', async () => {
    const { step, database } = aScene();
    await database.transaction((unit) =>
      unit.insert('interfaces', [localInterface(uuid(21), 'box'), localInterface(uuid(22), 'box-1')]),
    );
    await step([interfaceRule, byAnother(aDefinition(1, anInterface(uuid(11), 'box')))]);
    expect((await rowsOf(database, 'interfaces')).map(({ name }) => name)).toEqual(['box', 'box-1', 'box-2']);
  });

  it('of another node takes the id of a local interface, which gets a new id that its APIs follow', async () => {
    const { step, database } = aScene();
    await database.transaction(async (unit) => {
      await unit.insert('interfaces', [localInterface(uuid(11), 'mine')]);
      await unit.insert('apis', [localApi(uuid(31), 'mine', uuid(11))]);
    });
    const arriving = byAnother(aDefinition(1, anInterface(uuid(11), 'box')));
    expect(await step([interfaceRule, arriving])).toEqual(['confirmed']);
    const [localRow, foreign] = await rowsOf(database, 'interfaces');
    expect([localRow?.name, foreign?.name, foreign?.id]).toEqual(['mine', 'box', uuid(11)]);
    expect(localRow?.id).not.toBe(uuid(11));
    expect(await rowsOf(database, 'apis')).toMatchObject([{ interface: localRow?.id }]);
  });
});

describe('the definition of a contract API', () => {
  const box = aDefinition(1, anInterface(uuid(11), 'box'));

  it('needs an interface that was published before, at the latest earlier in the same step', async () => {
    const { step, database } = aScene();
    const store = aDefinition(2, anApi(uuid(31), 'store', uuid(11)));
    expect(await step([apiRule, store], [interfaceRule, box])).toEqual(['FF10408', 'confirmed']);
    const again = aDefinition(3, anApi(uuid(31), 'store', uuid(11)));
    expect(await step([apiRule, again])).toEqual(['confirmed']);
    const both = aScene();
    expect(await both.step([interfaceRule, box], [apiRule, store])).toEqual(['confirmed', 'confirmed']);
    expect(await rowsOf(database, 'apis')).toMatchObject([{ name: 'store', interface: uuid(11), pin: 3 }]);
  });

  it('does not find an interface that is not published', async () => {
    const { step, database } = aScene();
    await database.transaction((unit) => unit.insert('interfaces', [localInterface(uuid(11), 'box')]));
    expect(await step([apiRule, aDefinition(2, anApi(uuid(31), 'store', uuid(11)))])).toEqual(['FF10408']);
  });

  it('has a unique name and a unique id', async () => {
    const { step } = aScene();
    const api = (number: number, id: string, name: string) => aDefinition(number, anApi(id, name, uuid(11)));
    const first: [DefinitionRule, typeof box][] = [
      [interfaceRule, box],
      [apiRule, api(2, uuid(31), 'store')],
    ];
    expect(await step(...first, [apiRule, api(3, uuid(32), 'store')], [apiRule, api(4, uuid(31), 'shop')])).toEqual([
      'confirmed',
      'confirmed',
      'FF10407',
      'FF10404',
    ]);
    expect(await step([apiRule, api(5, uuid(33), 'store')], [apiRule, api(6, uuid(31), 'shop')])).toEqual([
      'FF10407',
      'FF10404',
    ]);
  });

  describe('that is published already', () => {
    const other = aDefinition(2, anInterface(uuid(12), 'case'));
    const first = aDefinition(3, anApi(uuid(31), 'store', uuid(11)));
    const published: [DefinitionRule, typeof box][] = [
      [interfaceRule, box],
      [interfaceRule, other],
      [apiRule, first],
    ];
    const again = (number: number, its: string) => aDefinition(number, anApi(uuid(31), 'store', its));

    it('changes its interface, within a step and across steps', async () => {
      const { step, database } = aScene();
      expect(await step(...published, [apiRule, again(4, uuid(12))])).toEqual(Array(4).fill('confirmed'));
      expect(await rowsOf(database, 'apis')).toMatchObject([{ name: 'store', interface: uuid(12), pin: 4 }]);
      await database.transaction((unit) => unit.insert('pins', [1, 2, 3, 4].map(aPin)));
      expect(await step([apiRule, again(5, uuid(11))])).toEqual(['confirmed']);
      expect(await rowsOf(database, 'apis')).toMatchObject([{ interface: uuid(11), message: uuid(5), pin: 5 }]);
    });

    it('is refused if it changes more than the interface, or names an unpublished one', async () => {
      const { step, database } = aScene();
      await step(...published);
      await database.transaction((unit) => unit.insert('pins', [1, 2, 3].map(aPin)));
      const elsewhere = textOf({
        id: uuid(31),
        namespace,
        name: 'store',
        interface: { id: uuid(12) },
        location: { address: `0x${'1'.repeat(40)}` },
      });
      expect(await step([apiRule, aDefinition(4, elsewhere)])).toEqual(['FF10407']);
      expect(await step([apiRule, again(5, uuid(13))])).toEqual(['FF10408']);
      expect(await rowsOf(database, 'apis')).toMatchObject([{ interface: uuid(11), pin: 3 }]);
    });

    it('is refused if another key signs it', async () => {
      const { step, database } = aScene();
      await step(...published);
      await database.transaction((unit) => unit.insert('pins', [1, 2, 3].map(aPin)));
      const foreign = byAnother(again(4, uuid(12)));
      expect(await step([apiRule, foreign])).toEqual(['FF10407']);
      const both = aScene();
      expect((await both.step(...published, [apiRule, foreign])).at(-1)).toBe('FF10407');
    });
  });

  it('of this node refers to the published interface if that has taken the id of its own', async () => {
    const { step, database } = aScene();
    await database.transaction(async (unit) => {
      await unit.insert('interfaces', [localInterface(uuid(11), 'mine', { message: uuid(8) })]);
      await unit.insert('apis', [{ ...localApi(uuid(31), 'store', uuid(11)), message: uuid(2) }]);
    });
    const mine = aDefinition(2, anApi(uuid(31), 'store', uuid(11)));
    expect(await step([interfaceRule, byAnother(box)])).toEqual(['confirmed']);
    expect(await step([apiRule, mine])).toEqual(['confirmed']);
    expect(await rowsOf(database, 'apis')).toMatchObject([{ id: uuid(31), interface: uuid(11), published: true }]);
  });

  it('of another node takes the id of a local API and gets another local name', async () => {
    const { step, database } = aScene();
    await database.transaction((unit) => unit.insert('apis', [localApi(uuid(31), 'store', uuid(11))]));
    await step([interfaceRule, box], [apiRule, byAnother(aDefinition(2, anApi(uuid(31), 'store', uuid(11))))]);
    const [localRow, foreign] = await rowsOf(database, 'apis');
    expect([localRow?.name, foreign?.name, foreign?.networkName, foreign?.id]).toEqual([
      'store',
      'store-1',
      'store',
      uuid(31),
    ]);
    expect(localRow?.id).not.toBe(uuid(31));
  });
});

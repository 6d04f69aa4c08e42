import { sha256 } from '../../src/bench/check/facts/facts.js';
import type { DataInput, DataReference } from '../../src/wire/data/data.js';
import type { JsonText } from '../../src/wire/scalar.js';
import type { Simulator } from './life.js';
import { definitionTopicOf, mainNamespace } from './namespaces.js';
import type { Party, SendRequest, SimulatedFile } from './party.js';
import { canaryOf } from './privacy.js';

/** A message to be sent, and what has happened to it. */
export interface Draft {
  readonly party: Party;
  readonly namespace: string;
  readonly sent: SendRequest;
  /** Names of the recipients; undefined for all. */
  readonly members: readonly string[] | undefined;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
  /** For a definition known only after acceptance, because the node draws the id in it. */
  readonly valueHashes: string[];
  /** The value and its kind, for a message with a datatype. */
  readonly typed: TypedValue | undefined;
  /** A file to be uploaded before the message; undefined if there is none or it is uploaded. */
  file: SimulatedFile | undefined;
  /** The items of the request; the file is added after its upload. */
  readonly items: DataInput[];
  sentMs: number;
  acceptedMs: number | null;
  id: string | null;
  isOver: boolean;
  /** Attempts that failed because the node did not know the datatype. */
  tries: number;
}

/** A value of one kind, for a datatype that may require the other. */
export interface TypedValue {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
}

/** Each datatype has definitions that require one kind and others that require the other. */
export const kinds = ['plain', 'fancy'] as const;
/** Few names, so that definitions collide. */
export const datatypeNames = ['order', 'bill'] as const;

const heavyBytes = 300_000;

/** The schema that values of one kind conform to. */
export function schemaOf(kind: string): JsonText {
  return `{"type":"object","properties":{"kind":{"const":"${kind}"}},"required":["kind"]}` as JsonText;
}

export interface DrawingParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
  readonly topics: readonly string[];
  /** Names of groups with a hostile member that also exchange private messages. */
  readonly hostileGroups: readonly (readonly string[])[];
  /** The namespaces in which users send. */
  readonly namespaces: readonly string[];
}

/** Draws messages. */
export interface Drawing {
  draw(number: number): Draft;
  /** Notes an item that a party has broadcast, to be sent again by its id. */
  hold(draft: Draft, item: DataReference): void;
}

/** Creates the drawing of one seed. */
export function createDrawing({ simulator, parties, topics, hostileGroups, namespaces }: DrawingParts): Drawing {
  const { random } = simulator.scheduler;
  const { sometimes } = simulator;
  const heldItems = new Map<string, DataReference>();
  const keyCounts = new Map<string, number>();
  // A value without a place on the chain is judged by the datatypes that its receiver has at the time.
  const isReorganised = simulator.faults().reorganisations > 0 || simulator.faults().rebuilds > 0;
  const isHeavy = random.fraction() < 0.03;
  const hasDatatypes = random.fraction() < 0.4;
  if (isHeavy) sometimes('messages that fill a batch');

  function draw(number: number): Draft {
    const place = { party: pick(parties), namespace: drawNamespace() };
    return hasDatatypes && random.fraction() < 0.2 ? drawDefinition(place) : drawMessage(number, place);
  }

  /** Makes several parties define the same name differently; one of them wins. */
  function drawDefinition(place: Place): Draft {
    const request = { name: pick(datatypeNames), version: '1', value: schemaOf(pick(kinds)) };
    const [topics, tag] = [[definitionTopicOf(place.namespace)], 'svc_define_datatype'];
    return { ...blank(place), sent: { kind: 'datatype', request }, topics, tag };
  }

  function drawMessage(number: number, place: Place): Draft {
    const { party, namespace } = place;
    const members = random.fraction() < 0.45 ? drawMembers(party) : undefined;
    const isPrivate = members !== undefined;
    const typed =
      hasDatatypes && random.fraction() < 0.4
        ? { name: pick(datatypeNames), version: '1', kind: pick(kinds) }
        : undefined;
    const inline = Array.from({ length: random.fraction() < 0.15 ? 2 : 1 }, (_, item) =>
      drawValue({ number, item, isPrivate, kind: typed?.kind }),
    );
    // An item sent again by its id, even if another member has used that id in the meantime.
    const held = isPrivate ? undefined : heldItems.get(`${party.name}/${namespace}`);
    // With a third large value the message would exceed a batch.
    const isFull = inline.filter((value) => value.length >= heavyBytes).length > 1;
    const known = random.fraction() < 0.15 && !isFull ? held : undefined;
    const datatype = typed === undefined ? {} : { datatype: { name: typed.name, version: typed.version } };
    const values = inline.map((value) => ({ value, ...datatype }));
    const named = drawTopics();
    const tag = random.fraction() < 0.3 ? 'tagged' : undefined;
    const isUnpinned = isPrivate && random.fraction() < 0.3 && (typed === undefined || !isReorganised);
    const file = random.fraction() < 0.2 ? drawFile(number, isPrivate) : undefined;
    const items: DataInput[] = known === undefined ? values : [...values, { id: known.id }];
    const request = {
      header: {
        ...(tag !== undefined && { tag }),
        ...(named.length > 0 && { topics: named }),
        ...(isUnpinned && { txtype: 'none' }),
      },
      data: items,
      ...(random.fraction() < 0.8 && { idempotencyKey: drawKey(number, namespace) }),
    };
    return {
      ...blank(place),
      sent: isPrivate
        ? { kind: 'private', request: { ...request, group: groupOf(party, members) } }
        : { kind: 'broadcast', request },
      members,
      topics: named.length > 0 ? named : ['default'],
      tag,
      valueHashes: [
        ...inline.map(sha256),
        ...(known === undefined ? [] : [known.hash]),
        ...(file === undefined ? [] : [sha256(file.value)]),
      ],
      typed,
      file,
      items,
    };
  }

  function drawNamespace(): string {
    const [first = mainNamespace, ...others] = namespaces;
    return others.length > 0 && random.fraction() < 0.4 ? pick(others) : first;
  }

  /** Returns a key that another namespace may have as well. */
  function drawKey(number: number, namespace: string): string {
    if (namespaces.length === 1) return `key-${number}`;
    const count = (keyCounts.get(namespace) ?? 0) + 1;
    keyCounts.set(namespace, count);
    return `key-${count}`;
  }

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[random.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  /** Draws the sender and any others, in any order, so that groups overlap; sometimes only the sender. */
  function drawMembers(sender: Party): readonly string[] {
    const hostile = hostileGroups.filter((names) => names.includes(sender.name));
    if (hostile.length > 0 && random.fraction() < 0.4) return pick(hostile);
    const others = parties.filter((party) => party !== sender && random.fraction() < 0.6).map(({ name }) => name);
    sometimes(others.length === 0 ? 'private message to oneself' : 'private message');
    return random.fraction() < 0.5 ? [sender.name, ...others] : [...others, sender.name];
  }

  /** The author is a member even if not listed. */
  function groupOf(sender: Party, members: readonly string[]) {
    const others = members.filter((name) => name !== sender.name);
    const named = others.length > 0 && random.fraction() < 0.3 ? others : members;
    return { members: named.map((identity) => ({ identity })) };
  }

  /** Draws a value with unusual spelling, because its bytes count; sometimes so large that few fit in a batch. */
  function drawValue(value: {
    readonly number: number;
    readonly item: number;
    readonly isPrivate: boolean;
    readonly kind: string | undefined;
  }): JsonText {
    const { number, item, isPrivate, kind } = value;
    const secret = isPrivate ? canaryOf(number) : '';
    const sizeBytes = isHeavy && random.fraction() < 0.5 ? heavyBytes : random.integer(200);
    const ofKind = kind === undefined ? '' : `"kind":"${kind}",`;
    const text = `{${ofKind}"number":${number}.0,"item":${item},"fill":"${secret}\\u0041${'x'.repeat(sizeBytes)}"}`;
    return text as JsonText;
  }

  function drawFile(number: number, isPrivate: boolean): SimulatedFile {
    sometimes(isPrivate ? 'file sent in private' : 'file broadcast');
    const secret = isPrivate ? canaryOf(number) : '';
    // Some files are equal and therefore stored once; their items differ.
    const content = `${secret}${'y'.repeat(1 + random.integer(40))}`;
    return { content, value: `{"file":${number},"name":"${secret}plan"}` };
  }

  /** Draws several topics in any order, sometimes none, so that the default is used. */
  function drawTopics(): string[] {
    if (random.fraction() < 0.1) return [];
    const count = random.fraction() < 0.4 ? 1 + random.integer(Math.min(3, topics.length)) : 1;
    const drawn = new Set<string>();
    for (let index = 0; index < count; index++) drawn.add(topics[random.integer(topics.length)] ?? 'default');
    return [...drawn];
  }

  return { draw, hold: ({ party, namespace }, item) => void heldItems.set(`${party.name}/${namespace}`, item) };
}

type Place = Pick<Draft, 'party' | 'namespace'>;

function blank(place: Place) {
  const fresh = { sentMs: 0, acceptedMs: null, id: null, isOver: false, tries: 0 };
  return { ...place, members: undefined, typed: undefined, file: undefined, items: [], valueHashes: [], ...fresh };
}

import type { PinLog } from '../../src/ports/blockchain.js';
import { sha256 } from '../../src/bench/check/facts.js';
import type { Surroundings } from './life.js';
import { createDatatypeOracle, type DatatypeOracle, type Item } from './oracle-datatypes.js';

/** What must become of a message, worked out from what was pinned and not from anything that a node says. */
export interface Expected {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  /** Who has sent it. */
  readonly organization: string;
  readonly namespace: string;
  readonly topics: readonly string[];
  /** Hash of its group, of a private message. */
  readonly group: string | undefined;
  /** Names of the organisations that get it; undefined: all. */
  readonly members: ReadonlySet<string> | undefined;
  /** Id of the batch that has pinned it first; undefined of a message that is not pinned. */
  readonly batch: string | undefined;
  readonly verdict: 'confirmed' | 'rejected';
  /** False when it waits for ever behind, or in, a batch whose payload nobody ever shows. */
  readonly isReachable: boolean;
}

/** What a hostile member has planned for a batch; anything else is judged by the payload. */
export type Plan = 'void' | 'withheld';

export interface Oracle {
  /** Tells of bytes that exist, wherever they are. */
  learnPayload(text: string): void;
  /** Tells of a group, as its first member has made it. */
  learnGroup(hash: string, identities: readonly string[]): void;
  /** Tells of a message that goes to its members without a pin. */
  learnUnpinned(message: Omit<Expected, 'members' | 'batch' | 'verdict' | 'isReachable'>): void;
  /**
   * Says beforehand what a pin by this signer of this batch is to come to. What waits for ever in private blocks these
   * contexts.
   */
  plan(batch: BatchName, plan: Plan, contexts?: readonly string[]): void;
  /** Takes the next pin of the chain. */
  take(pin: PinLog): void;
  /** The message that must be decided at this place of a line, or undefined when none is pinned there yet. */
  at(line: string, place: number): Expected | undefined;
  /** Messages that are pinned. */
  messages(): ReadonlyMap<string, Expected>;
  /** Messages that never are. */
  unpinned(): ReadonlyMap<string, Expected>;
  /** How many messages this party can decide. */
  reachableCount(party: string): number;
  /** Contexts that are blocked for ever. */
  blockedContexts(): ReadonlySet<string>;
  /** What has been defined, by the order of the chain. */
  datatypes(): DatatypeOracle;
  /** Payload texts of batches by hash. */
  payloads(): ReadonlyMap<string, string>;
  /** Pins that say nothing new: repeats, voids and so on. */
  counts(): Readonly<Record<'pins' | 'repeats' | 'voids' | 'withheld' | 'masked', number>>;
}

/** What a batch is known by. */
export interface BatchName {
  readonly id: string;
  readonly hash: string;
  readonly signer: string;
}

interface Parsed extends Omit<Expected, 'isReachable' | 'members' | 'batch' | 'verdict'> {
  readonly type: string;
  readonly tag: string | undefined;
  readonly items: readonly Item[];
}

/** The sequence that a message stands in: a topic, or a topic of a group. */
export function lineOf(topic: string, group: string | undefined): string {
  return group === undefined ? topic : `${topic} ${group}`;
}

/** The key of a line at the nodes. */
export function contextOf(topic: string, group: string | undefined): string {
  return sha256(group === undefined ? topic : Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex')]));
}

/** The namespaces of every simulated node; a message of any other is spent without a record (docs/protocol.md §8.3). */
const knownNamespaces: ReadonlySet<string> = new Set(['default', 'svc_system']);

export interface OracleParts {
  readonly sometimes: Surroundings['sometimes'];
  /** The one key that may pin a batch twice. */
  readonly hostileKey: string;
  readonly onViolation: (invariant: string, sentence: string) => void;
}

/** Follows the chain by the rules of docs/protocol.md §8, in its own words and from pinned bytes alone. */
export function createOracle({ sometimes, hostileKey, onViolation }: OracleParts): Oracle {
  const payloads = new Map<string, string>();
  const groups = new Map<string, ReadonlySet<string>>();
  const plans = new Map<string, { readonly plan: Plan; readonly contexts: readonly string[] }>();
  const seen = new Set<string>();
  const lines = new Map<string, Expected[]>();
  const messages = new Map<string, Expected>();
  const unpinned = new Map<string, Expected>();
  const blocked = new Set<string>();
  const datatypes = createDatatypeOracle(sometimes);
  const counts = { pins: 0, repeats: 0, voids: 0, withheld: 0, masked: 0 };

  function block(contexts: readonly string[]): void {
    for (const context of contexts) blocked.add(context);
  }

  function membersOf(group: string | undefined): ReadonlySet<string> | undefined {
    return group === undefined ? undefined : (groups.get(group) ?? new Set());
  }

  function order(message: Parsed, batch: string): void {
    const contexts = message.topics.map((topic) => contextOf(topic, message.group));
    const isReachable = !contexts.some((context) => blocked.has(context));
    // What waits for ever is in the way of whatever comes later in any of its contexts.
    if (!isReachable) block(contexts);
    if (messages.has(message.key) || !knownNamespaces.has(message.namespace)) return;
    const verdict = datatypes.judge(message);
    if (verdict === 'rejected' && message.group !== undefined) sometimes('reject inside a private sequence');
    const expected = { ...message, members: membersOf(message.group), batch, verdict, isReachable };
    messages.set(message.key, expected);
    for (const topic of message.topics) {
      const line = lines.get(lineOf(topic, message.group)) ?? [];
      line.push(expected);
      lines.set(lineOf(topic, message.group), line);
    }
  }

  return {
    learnPayload(text) {
      const hash = sha256(text);
      if (!payloads.has(hash)) payloads.set(hash, text);
    },
    learnGroup(hash, identities) {
      groups.set(hash, new Set(identities.map(organizationOf)));
    },
    learnUnpinned(message) {
      const expected = { members: membersOf(message.group), batch: undefined, verdict: 'confirmed' as const };
      unpinned.set(message.key, { ...message, ...expected, isReachable: true });
    },
    plan: ({ id, hash, signer }, plan, contexts = []) => void plans.set(`${id}/${hash}/${signer}`, { plan, contexts }),
    take(pin) {
      counts.pins += 1;
      const batchKey = `${pin.batchId}/${pin.batchHash}/${pin.signer}`;
      if (pin.payloadRef === '') counts.masked += 1;
      if (seen.has(batchKey)) {
        counts.repeats += 1;
        if (pin.signer !== hostileKey) onViolation('I4', `the batch ${pin.batchId} was pinned twice by its sender`);
        return;
      }
      seen.add(batchKey);
      const planned = plans.get(batchKey);
      const payload = payloads.get(pin.batchHash);
      if (planned?.plan === 'withheld' || payload === undefined) {
        counts.withheld += 1;
        block(pin.payloadRef === '' ? (planned?.contexts ?? []) : pin.contexts);
      } else if (planned?.plan === 'void') {
        counts.voids += 1;
      } else {
        const pinned = parse(payload);
        if (pinned.length > 1) sometimes('several messages in a batch');
        for (const message of pinned) order(message, pin.batchId);
      }
    },
    at: (line, place) => lines.get(line)?.[place],
    messages: () => messages,
    unpinned: () => unpinned,
    reachableCount: (party) =>
      [...messages.values(), ...unpinned.values()].filter(
        ({ isReachable, members }) => isReachable && (members?.has(party) ?? true),
      ).length,
    blockedContexts: () => blocked,
    datatypes: () => datatypes,
    payloads: () => payloads,
    counts: () => counts,
  };
}

interface PayloadText {
  readonly id: string;
  readonly key: string;
  readonly messages: readonly {
    readonly header: {
      readonly id: string;
      readonly type: string;
      readonly author: string;
      readonly namespace: string;
      readonly group?: string;
      readonly topics: readonly string[];
      readonly tag?: string;
    };
    readonly hash: string;
    readonly data: readonly { readonly id: string }[];
  }[];
  readonly data: readonly (Item & { readonly id: string })[];
}

/** Only of payloads that are not planned to be void: those are well formed. */
function parse(text: string): Parsed[] {
  const payload = JSON.parse(text) as PayloadText;
  const items = new Map(payload.data.map((item) => [item.id, item]));
  return payload.messages.map(({ header, hash, data }) => ({
    key: `${header.id}/${hash}`,
    id: header.id,
    hash,
    organization: organizationOf(header.author),
    namespace: header.namespace,
    topics: header.topics,
    group: header.group,
    type: header.type,
    tag: header.tag,
    items: data.flatMap(({ id }) => items.get(id) ?? []),
  }));
}

/** Name of the organisation that a DID is of. */
export function organizationOf(did: string): string {
  return did.replace('did:parley:org/', '');
}

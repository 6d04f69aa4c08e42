import type { ContractLog, LogPage, PinLog } from '../../src/ports/blockchain.js';
import { sha256 } from '../../src/bench/check/facts/facts.js';
import type { Simulator } from './life.js';
import { type ContractOracle, createContractOracle } from './oracle-contracts.js';
import { createIdentityOracle, type IdentityOracle } from './oracle-identities.js';
import { createNonceOracle } from './oracle-nonces.js';
import { createTokenOracle, type TokenOracle } from './oracle-tokens.js';
import { createDatatypeOracle, type DatatypeOracle, type Item, type Judged } from './oracle-datatypes.js';

/** The expected result of a message, derived only from pins and not from reports of nodes. */
export interface Expected {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  /** Name of the sender. */
  readonly organization: string;
  readonly namespace: string;
  readonly topics: readonly string[];
  /** Hash of the group of a private message. */
  readonly group: string | undefined;
  /** Names of the recipients; undefined for all. */
  readonly members: ReadonlySet<string> | undefined;
  /** Id of the first batch that pinned it; undefined if unpinned. */
  readonly batch: string | undefined;
  readonly verdict: 'confirmed' | 'rejected';
  /** False for a message that waits permanently because a payload is withheld. */
  readonly isReachable: boolean;
}

/** A hostile member's plan for a batch; all other batches are judged by their payload. */
export type Plan = 'void' | 'withheld';

export interface Oracle {
  /** Reports a payload that exists somewhere. */
  learnPayload(text: string): void;
  /** Reports a group and its members. */
  learnGroup(hash: string, identities: readonly string[]): void;
  /** Reports a message sent without a pin. */
  learnUnpinned(message: Omit<Expected, 'members' | 'batch' | 'verdict' | 'isReachable'>): void;
  /** Announces the result of a pin by this signer of this batch. A withheld private batch blocks these contexts. */
  plan(batch: BatchName, plan: Plan, contexts?: readonly string[]): void;
  /** Forgets all pins, before the pins of a chain with other blocks. */
  restart(): void;
  /** Processes the next log of the chain. */
  take(log: LogPage['logs'][number]): void;
  /** Returns the message to be decided at a place of a line; undefined if none is pinned there yet. */
  at(line: string, place: number): Expected | undefined;
  messages(): ReadonlyMap<string, Expected>;
  /** Whether a message has only a batch that is void because of its nonces. */
  isVoid(key: string): boolean;
  /** Whether a message with this id that a party has sent is such a one. */
  hasVoid(party: string, id: string): boolean;
  unpinned(): ReadonlyMap<string, Expected>;
  /** Returns the number of messages that a party can decide. */
  reachableCount(party: string): number;
  /** Returns the contexts that are blocked permanently. */
  blockedContexts(): ReadonlySet<string>;
  /** Returns the definitions by the order of the chain. */
  datatypes(): DatatypeOracle;
  contracts(): ContractOracle;
  /** The pools that are defined now. */
  pools(): ReturnType<TokenOracle['pools']>;
  identities(): IdentityOracle;
  payloads(): ReadonlyMap<string, string>;
  /** Counts of pins, including those without new effect, such as repeats and void ones. */
  counts(): Readonly<Record<'pins' | 'repeats' | 'voids' | 'withheld' | 'masked', number>>;
}

export interface BatchName {
  readonly id: string;
  readonly hash: string;
  readonly signer: string;
}

interface Parsed extends Omit<Expected, 'isReachable' | 'members' | 'batch' | 'verdict'> {
  readonly type: string;
  readonly author: string;
  readonly tag: string | undefined;
  readonly items: readonly Item[];
  readonly parent: { readonly type: string } | undefined;
  readonly nonces: readonly number[] | undefined;
}

/** The line of order of a message: a topic, or a topic within a group. */
export function lineOf(topic: string, group: string | undefined): string {
  return group === undefined ? topic : `${topic} ${group}`;
}

/** The context of a line, as nodes store it. */
export function contextOf(topic: string, group: string | undefined): string {
  return sha256(group === undefined ? topic : Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex')]));
}

export interface OracleParts {
  readonly sometimes: Simulator['sometimes'];
  /** The namespaces of every node; messages of others are spent without a record (docs/protocol.md §8.3). */
  readonly namespaces: readonly string[];
  /** The key that may pin a batch twice. */
  readonly hostileKey: string;
  /** Whether the chain mines pins again that it had reverted, so that a pin and its retry may both succeed. */
  readonly mayRepeat: boolean;
  /** All logs of other contracts that the chain has now. */
  readonly contractLogs: () => readonly ContractLog[];
  readonly onViolation: (invariant: string, sentence: string) => void;
}

/** Follows the chain by the rules of docs/protocol.md §8, implemented independently and from pins only. */
export function createOracle(parts: OracleParts): Oracle {
  const { sometimes, namespaces, hostileKey, mayRepeat, contractLogs, onViolation } = parts;
  const payloads = new Map<string, string>();
  const groups = new Map<string, ReadonlySet<string>>();
  const plans = new Map<string, { readonly plan: Plan; readonly contexts: readonly string[] }>();
  const seen = new Set<string>();
  const lines = new Map<string, Expected[]>();
  const messages = new Map<string, Expected>();
  const unpinned = new Map<string, Expected>();
  const blocked = new Set<string>();
  const identities = createIdentityOracle(sometimes);
  let contracts = createContractOracle();
  let tokens = createTokenOracle(sometimes, contractLogs);
  let datatypes = createDatatypeOracle(sometimes, { judge, hasOperation });
  let nonces = createNonceOracle();
  const voided = new Map<string, Parsed>();
  const counts = { pins: 0, repeats: 0, voids: 0, withheld: 0, masked: 0 };

  function judge(message: Judged): boolean | undefined {
    return identities.judge(message) ?? contracts.judge(message) ?? tokens.judge(message);
  }

  function hasOperation(message: Judged): boolean {
    return tokens.hasOperation(message);
  }

  function block(contexts: readonly string[]): void {
    for (const context of contexts) blocked.add(context);
  }

  function membersOf(group: string | undefined): ReadonlySet<string> | undefined {
    return group === undefined ? undefined : (groups.get(group) ?? new Set());
  }

  function order(message: Parsed, pin: PinLog): void {
    // A batch of a namespace that no node has is void: each of its pins is spent in turn, and waits for no other.
    if (!namespaces.includes(message.namespace)) return;
    const contexts = message.topics.map((topic) => contextOf(topic, message.group));
    const isReachable = !contexts.some((context) => blocked.has(context));
    // A message that waits permanently blocks everything later in its contexts.
    if (!isReachable) block(contexts);
    if (messages.has(message.key)) return;
    const verdict = datatypes.judge({ ...message, block: pin.position.block });
    if (verdict === 'rejected' && message.group !== undefined) sometimes('reject inside a private sequence');
    const expected = { ...message, members: membersOf(message.group), batch: pin.batchId, verdict, isReachable };
    messages.set(message.key, expected);
    for (const topic of message.topics) {
      const line = lines.get(lineOf(topic, message.group)) ?? [];
      line.push(expected);
      lines.set(lineOf(topic, message.group), line);
    }
  }

  function takePin(pin: PinLog): void {
    counts.pins += 1;
    const batchKey = `${pin.batchId}/${pin.batchHash}/${pin.signer}`;
    if (pin.payloadRef === '') counts.masked += 1;
    if (seen.has(batchKey)) {
      counts.repeats += 1;
      if (pin.signer === hostileKey || mayRepeat) return;
      onViolation('I4', `the batch ${pin.batchId} was pinned twice by its sender`);
      return;
    }
    seen.add(batchKey);
    const planned = plans.get(batchKey);
    const payload = payloads.get(pin.batchHash);
    if (planned?.plan === 'withheld' || payload === undefined) {
      counts.withheld += 1;
      block(pin.payloadRef === '' ? (planned?.contexts ?? []) : pin.contexts);
    } else if (planned?.plan === 'void' || !identities.isAuthor(pin.signer, payload)) {
      counts.voids += 1;
    } else {
      const pinned = parse(payload);
      // A cancelled batch gives its nonces to a later one; the chain may then mine both.
      if (mayRepeat && pin.payloadRef === '' && pin.signer !== hostileKey && nonces.take(pinned)) {
        for (const message of pinned) voided.set(message.key, message);
        counts.voids += 1;
        sometimes('nonce of a cancelled message pinned twice');
        return;
      }
      if (pinned.length > 1) sometimes('several messages in a batch');
      for (const message of pinned) order(message, pin);
    }
  }

  return {
    learnPayload(text) {
      const hash = sha256(text);
      if (!payloads.has(hash)) payloads.set(hash, text);
    },
    learnGroup(hash, dids) {
      groups.set(hash, new Set(dids.map(identities.memberOf)));
    },
    learnUnpinned(message) {
      const expected = { members: membersOf(message.group), batch: undefined, verdict: 'confirmed' as const };
      unpinned.set(message.key, { ...message, ...expected, isReachable: true });
    },
    plan: ({ id, hash, signer }, plan, contexts = []) => void plans.set(`${id}/${hash}/${signer}`, { plan, contexts }),
    restart() {
      for (const derived of [seen, lines, messages, blocked, voided]) derived.clear();
      nonces = createNonceOracle();
      identities.restart();
      contracts = createContractOracle();
      tokens = createTokenOracle(sometimes, contractLogs);
      datatypes = createDatatypeOracle(sometimes, { judge, hasOperation });
    },
    take(log) {
      if (log.type === 'batch_pin') takePin(log);
      else identities.register(log);
    },
    at: (line, place) => lines.get(line)?.[place],
    messages: () => messages,
    isVoid: (key) => voided.has(key) && !messages.has(key),
    hasVoid: (party, id) =>
      [...voided.values()].some(
        ({ key, id: its, organization }) => its === id && organization === party && !messages.has(key),
      ),
    unpinned: () => unpinned,
    reachableCount: (party) =>
      [...messages.values(), ...unpinned.values()].filter(
        ({ isReachable, members }) => isReachable && (members?.has(party) ?? true),
      ).length,
    blockedContexts: () => blocked,
    datatypes: () => datatypes,
    contracts: () => contracts,
    pools: () => tokens.pools(),
    identities: () => identities,
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
      readonly txparent?: { readonly type: string };
    };
    readonly hash: string;
    readonly data: readonly { readonly id: string }[];
    readonly nonces?: readonly number[];
  }[];
  readonly data: readonly (Item & { readonly id: string })[];
}

/** Parses a payload that is not planned to be void and is therefore well-formed. */
function parse(text: string): Parsed[] {
  const payload = JSON.parse(text) as PayloadText;
  const items = new Map(payload.data.map((item) => [item.id, item]));
  return payload.messages.map(({ header, hash, data, nonces }) => ({
    key: `${header.id}/${hash}`,
    id: header.id,
    hash,
    organization: organizationOf(header.author),
    author: header.author,
    namespace: header.namespace,
    topics: header.topics,
    group: header.group,
    type: header.type,
    tag: header.tag,
    parent: header.txparent,
    nonces,
    items: data.flatMap(({ id }) => items.get(id) ?? []),
  }));
}

/** Returns the organisation's name in a DID. */
export function organizationOf(did: string): string {
  return did.replace('did:parley:org/', '');
}

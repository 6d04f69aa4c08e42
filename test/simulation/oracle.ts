import type { PinLog } from '../../src/ports/blockchain.js';
import type { Surroundings } from './life.js';
import { sha256 } from '../../src/bench/check/facts.js';

/** What must become of a message, worked out from what was pinned and not from anything that a node says. */
export interface Expected {
  readonly key: string;
  readonly id: string;
  readonly hash: string;
  /** Who has sent it. */
  readonly organization: string;
  readonly namespace: string;
  readonly topics: readonly string[];
  readonly verdict: 'confirmed' | 'rejected';
  /** False when it waits for ever behind, or in, a batch whose payload nobody ever shows. */
  readonly isReachable: boolean;
}

/** What a hostile member has planned for a batch; anything else is judged by the payload. */
export type Plan = 'void' | 'withheld';

export interface Oracle {
  /** Tells of bytes that exist, wherever they are. */
  learnPayload(bytes: Uint8Array): void;
  /** Says beforehand what a pin by this signer of this batch is to come to. */
  plan(batch: { readonly id: string; readonly hash: string; readonly signer: string }, plan: Plan): void;
  /** Takes the next pin of the chain. */
  take(pin: PinLog): void;
  /** The message that must be decided at this place of a topic, or undefined when none is pinned there yet. */
  at(topic: string, place: number): Expected | undefined;
  messages(): ReadonlyMap<string, Expected>;
  reachableCount(): number;
  /** Contexts that are blocked for ever. */
  blockedContexts(): ReadonlySet<string>;
  /** Payload texts of batches by hash. */
  payloads(): ReadonlyMap<string, string>;
  /** Pins that say nothing new: repeats, voids and so on. */
  counts(): Readonly<Record<'pins' | 'repeats' | 'voids' | 'withheld' | 'masked', number>>;
}

interface Parsed {
  readonly id: string;
  readonly key: string;
  readonly messages: readonly Omit<Expected, 'isReachable'>[];
}

/** The namespaces of every simulated node; a message of any other is spent without a record (S §8.5). */
const knownNamespaces: ReadonlySet<string> = new Set(['default', 'svc_system']);

/** Follows the chain by the rules of S §8.3 to §8.7, in its own words and from pinned bytes alone. */
export function createOracle(sometimes: Surroundings['sometimes']): Oracle {
  const payloads = new Map<string, string>();
  const plans = new Map<string, Plan>();
  const seen = new Set<string>();
  const lines = new Map<string, Expected[]>();
  const messages = new Map<string, Expected>();
  const blocked = new Set<string>();
  const counts = { pins: 0, repeats: 0, voids: 0, withheld: 0, masked: 0 };
  let reachable = 0;

  function block(contexts: readonly string[]): void {
    for (const context of contexts) blocked.add(context);
  }

  function order(message: Parsed['messages'][number]): void {
    const contexts = message.topics.map(sha256);
    const isReachable = !contexts.some((context) => blocked.has(context));
    // What waits for ever is in the way of whatever comes later in any of its contexts.
    if (!isReachable) block(contexts);
    if (messages.has(message.key) || !knownNamespaces.has(message.namespace)) return;
    const expected = { ...message, isReachable };
    messages.set(message.key, expected);
    if (isReachable) reachable += 1;
    for (const topic of message.topics) {
      const line = lines.get(topic) ?? [];
      line.push(expected);
      lines.set(topic, line);
    }
  }

  return {
    learnPayload(bytes) {
      const hash = sha256(bytes);
      if (!payloads.has(hash)) payloads.set(hash, new TextDecoder().decode(bytes));
    },
    plan: ({ id, hash, signer }, plan) => void plans.set(`${id}/${hash}/${signer}`, plan),
    take(pin) {
      counts.pins += 1;
      const batchKey = `${pin.batchId}/${pin.batchHash}/${pin.signer}`;
      if (pin.payloadRef === '') {
        counts.masked += 1;
        return;
      }
      if (seen.has(batchKey)) {
        counts.repeats += 1;
        return;
      }
      seen.add(batchKey);
      const plan = plans.get(batchKey);
      const payload = payloads.get(pin.batchHash);
      if (plan === 'withheld' || payload === undefined) {
        counts.withheld += 1;
        block(pin.contexts);
      } else if (plan === 'void') {
        counts.voids += 1;
      } else {
        const { messages: pinned } = parse(payload);
        if (pinned.length > 1) sometimes('several messages in a batch');
        for (const message of pinned) order(message);
      }
    },
    at: (topic, place) => lines.get(topic)?.[place],
    messages: () => messages,
    reachableCount: () => reachable,
    blockedContexts: () => blocked,
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
      readonly topics: readonly string[];
    };
    readonly hash: string;
  }[];
}

/** Only of payloads that are not planned to be void: those are well formed. */
function parse(text: string): Parsed {
  const payload = JSON.parse(text) as PayloadText;
  const messages = payload.messages.map(({ header, hash }) => ({
    key: `${header.id}/${hash}`,
    id: header.id,
    hash,
    organization: header.author.replace('did:parley:org/', ''),
    namespace: header.namespace,
    topics: header.topics,
    verdict: header.type === 'definition' ? ('rejected' as const) : ('confirmed' as const),
  }));
  return { id: payload.id, key: payload.key, messages };
}

import type { MemoryLedger } from '../../src/adapters/blockchain/memory/memory.js';
import type { MemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { sha256 } from '../../src/domain/hash.js';
import { organizationDid } from '../../src/domain/network/identity.js';
import type { PinCall } from '../../src/ports/blockchain.js';
import type { SharedStore } from '../../src/ports/shared-store.js';
import { callOf, createForgery, dataOf, drawTopics, type Forged, type Forgery } from './forgery.js';
import { createHostileContracts } from './hostile-contracts.js';
import { createHostileDatatypes } from './hostile-datatypes.js';
import { createHostileIdentities } from './hostile-identities.js';
import { createHostilePrivate } from './hostile-private.js';
import type { Simulator } from './life.js';
import type { Oracle, Plan } from './oracle.js';
import type { Party } from './party.js';

export interface HostileParts {
  readonly simulator: Simulator;
  readonly ledger: MemoryLedger;
  readonly store: SharedStore;
  readonly exchange: MemoryExchange;
  readonly oracle: Oracle;
  readonly parties: readonly Party[];
  /** Names of the groups with this member. */
  readonly groups: readonly (readonly string[])[];
  /** Topics that honest parties use, and topics that may be blocked for ever. */
  readonly topics: readonly string[];
  readonly sacrificed: readonly string[];
  readonly organization: string;
  readonly key: string;
}

/** Its tricks by name. */
export type Tricks = Readonly<Record<string, () => void>>;

/** Dependencies of its tricks. */
export interface HostileMeans extends HostileParts {
  readonly forge: Forgery['forge'];
  /** Pins a batch; `plan` is the expected result if the payload does not determine it. */
  readonly pin: (call: PinCall, plan?: Plan, blocked?: readonly string[]) => void;
  readonly publishAndPin: (forged: Forged, plan?: Plan) => void;
  /** Returns the payload of some broadcast by an honest party. */
  readonly honestPayload: () => string | undefined;
}

/** A member with a valid key that pins whatever the contract accepts (F17). */
export interface Hostile {
  /** Called once it is a member. */
  start(): void;
  /** Plays a random trick. */
  act(): void;
}

export function createHostile(parts: HostileParts): Hostile {
  const { simulator, ledger, store, oracle, topics, sacrificed, key } = parts;
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const { forge } = createForgery(parts);
  const own: Forged[] = [];

  function pick<T>(choices: readonly T[]): T | undefined {
    return choices[random.integer(choices.length)];
  }

  function publish(text: string): void {
    const bytes = new TextEncoder().encode(text);
    oracle.learnPayload(text);
    void store.put(bytes);
  }

  function pin(call: PinCall, plan?: Plan, blocked?: readonly string[]): void {
    if (plan !== undefined) oracle.plan({ id: call.batchId, hash: call.batchHash, signer: key }, plan, blocked);
    ledger.call(key, call);
  }

  function publishAndPin(forged: Forged, plan?: Plan): void {
    publish(forged.text);
    pin(forged.call, plan);
  }

  /** Returns the batch with another text and its right hash, so that only the content is wrong. */
  function rewritten(forged: Forged, change: (text: string) => string): Forged {
    const text = change(forged.text);
    const { batchId, transactionId, contexts } = forged.call;
    return { ...forged, text, call: callOf(text, batchId, transactionId, contexts) };
  }

  /** Returns a broadcast of an honest party, pinned or not. */
  function honestPayload(): string | undefined {
    const honest = [...oracle.payloads().values()].filter((text) => !text.includes(`"key":"${key}"`));
    return pick(honest.filter((text) => /^{"version":1,"id":"[^"]*","type":"broadcast"/.test(text)));
  }

  const tricks: Tricks = {
    valid() {
      const forged = forge();
      own.push(forged);
      publishAndPin(forged);
    },
    repeat() {
      const forged = pick(own);
      if (forged === undefined) return;
      sometimes('repeated pin');
      pin(forged.call);
    },
    replayMessages() {
      const earlier = pick(own);
      const [message] = earlier?.messages ?? [];
      if (earlier === undefined || message === undefined) return;
      const data = dataOf(earlier.text);
      sometimes('batch partly known on arrival');
      publishAndPin(forge({ alsoMessages: [message], alsoData: data }));
    },
    otherContexts() {
      const forged = forge();
      const contexts = [...forged.call.contexts, sha256(pick(topics) ?? '')];
      sometimes('void batch');
      publishAndPin({ ...forged, call: { ...forged.call, contexts } }, 'void');
    },
    fewerContexts() {
      const forged = forge({ topics: topics.slice(0, 2) });
      if (forged.call.contexts.length < 2) return;
      publishAndPin({ ...forged, call: { ...forged.call, contexts: forged.call.contexts.slice(1) } }, 'void');
    },
    foreignAuthor() {
      publishAndPin(forge({ author: organizationDid('alice') }), 'void');
    },
    otherTransaction() {
      const forged = forge();
      publishAndPin({ ...forged, call: { ...forged.call, transactionId: random.uuid() } }, 'void');
    },
    brokenHash() {
      const change = (text: string): string => text.replace(/"datahash":"[0-9a-f]{8}/, '"datahash":"00000000');
      publishAndPin(rewritten(forge(), change), 'void');
    },
    unknownField() {
      const change = (text: string): string =>
        text.replace('{"version":1,', '{"version":1,"__proto__":{"polluted":1},');
      publishAndPin(rewritten(forge(), change), 'void');
    },
    notJson() {
      publishAndPin(
        rewritten(forge(), (text) => text.slice(0, -1)),
        'void',
      );
    },
    deep() {
      const change = (text: string): string =>
        text.replace(/"number":\d+/, `"number":${'['.repeat(20_000)}${']'.repeat(20_000)}`);
      publishAndPin(rewritten(forge(), change), 'void');
    },
    copyOfAnother() {
      const text = honestPayload();
      if (text === undefined) return;
      const [, batchId = ''] = /"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
      const [, transactionId = ''] = /"tx":\{"type":"batch_pin","id":"([0-9a-f-]{36})"/.exec(text) ?? [];
      sometimes('copied batch of another signer');
      pin(callOf(text, batchId, transactionId, [sha256(pick(topics) ?? '')]), 'void');
    },
    idReused() {
      const text = honestPayload();
      const [, batchId] = /"id":"([0-9a-f-]{36})"/.exec(text ?? '') ?? [];
      if (batchId === undefined) return;
      sometimes('batch id reused with another hash');
      publishAndPin(forge({ batchId }));
    },
    messageIdReused() {
      const message = pick([...oracle.messages().values()]);
      if (message !== undefined) publishAndPin(forge({ id: message.id }));
    },
    dataIdReused() {
      const [, dataId] = /"data":\[\{"id":"([0-9a-f-]{36})"/.exec(honestPayload() ?? '') ?? [];
      if (dataId !== undefined) publishAndPin(forge({ dataId }));
    },
    withheld() {
      sometimes('payload withheld for ever');
      pin(forge({ topics: drawTopics(random, sacrificed) }).call, 'withheld');
    },
    wrongReference() {
      const other = pick(own);
      if (other === undefined) return;
      const { call } = forge({ topics: drawTopics(random, sacrificed) });
      pin({ ...call, payloadRef: other.call.payloadRef }, 'withheld');
    },
    releasedLate() {
      const forged = forge();
      const bytes = new TextEncoder().encode(forged.text);
      oracle.learnPayload(forged.text);
      pin(forged.call);
      sometimes('payload released late');
      scheduler.after(random.integer(20_000), 'hostile', 'releases a payload', () => void store.put(bytes));
    },
    masked() {
      sometimes('masked pin with the hash of a topic');
      pin({ ...forge().call, payloadRef: '' });
    },
    definition() {
      sometimes('rejected message');
      const reserved = { namespace: 'svc_system', topics: ['svc_ns_default'], tag: 'svc_define_nothing' };
      publishAndPin(forge({ ...reserved, type: 'definition' }));
    },
    otherNamespace() {
      sometimes('message of a namespace that is not here');
      publishAndPin(forge({ namespace: 'elsewhere' }));
    },
  };
  const means = { ...parts, forge, pin, publishAndPin, honestPayload };
  const secretly = createHostilePrivate(means);
  const ofContracts = simulator.faults().contracts === 0 ? [] : [createHostileContracts(means)];
  const ofIdentities = simulator.faults().identities === 0 ? [] : [createHostileIdentities(means)];
  const menus = [
    tricks,
    tricks,
    secretly.tricks,
    createHostileDatatypes(means),
    ...ofContracts,
    ...ofIdentities,
    ...ofIdentities,
    ...ofIdentities,
  ];

  return {
    start: secretly.start,
    act() {
      const menu = pick(menus) ?? tricks;
      const name = pick(Object.keys(menu)) ?? 'valid';
      scheduler.note('hostile', name);
      menu[name]?.();
    },
  };
}

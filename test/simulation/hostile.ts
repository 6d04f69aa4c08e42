import type { MemoryLedger } from '../../src/adapters/blockchain/memory.js';
import { sealBatch } from '../../src/domain/batch.js';
import { hashOfItem, sha256 } from '../../src/domain/hash.js';
import { identityId, nodeDid, organizationDid } from '../../src/domain/identity.js';
import { sealMessage, type SealedMessage } from '../../src/domain/message.js';
import { contextsOf } from '../../src/domain/pin.js';
import type { PinCall } from '../../src/ports/blockchain.js';
import type { SharedStore } from '../../src/ports/shared-store.js';
import type { PayloadData } from '../../src/wire/batch.js';
import { textOf } from '../../src/wire/json.js';
import type { Surroundings } from './life.js';
import type { Oracle } from './oracle.js';

export interface HostileParts {
  readonly surroundings: Surroundings;
  readonly ledger: MemoryLedger;
  readonly store: SharedStore;
  readonly oracle: Oracle;
  /** Topics that honest parties use, and topics that may be blocked for ever. */
  readonly topics: readonly string[];
  readonly sacrificed: readonly string[];
  /** Organisation and key, as registered. */
  readonly organization: string;
  readonly key: string;
}

/** A member with a genuine key that pins whatever its key may pin (F17). */
export interface Hostile {
  /** Does one thing, drawn by chance. */
  act(): void;
}

interface Forged {
  readonly text: string;
  readonly call: PinCall;
  readonly messages: readonly SealedMessage[];
}

export function createHostile(parts: HostileParts): Hostile {
  const { surroundings, ledger, store, oracle, topics, sacrificed, organization, key } = parts;
  const { scheduler, sometimes } = surroundings;
  const { random } = scheduler;
  const node = identityId(nodeDid(`${organization}-node`));
  const own: Forged[] = [];

  function pick<T>(choices: readonly T[]): T | undefined {
    return choices[random.integer(choices.length)];
  }

  function drawTopics(from: readonly string[]): string[] {
    const drawn = new Set([pick(from) ?? 'default', pick(from) ?? 'default']);
    return [...drawn];
  }

  interface Spelling {
    readonly topics?: readonly string[];
    readonly author?: string;
    readonly namespace?: string;
    readonly type?: 'broadcast' | 'definition';
    readonly tag?: string;
    readonly id?: string;
    readonly batchId?: string;
    readonly alsoMessages?: readonly SealedMessage[];
    readonly alsoData?: readonly PayloadData[];
    readonly dataId?: string;
  }

  /** A batch that is valid as far as `spelling` leaves it so. */
  function forge(spelling: Spelling = {}): Forged {
    const value = textOf({ from: organization, number: random.integer(1_000_000_000) });
    const item = { id: spelling.dataId ?? random.uuid(), hash: hashOfItem({ value }) };
    const author = spelling.author ?? organizationDid(organization);
    const namespace = spelling.namespace ?? 'default';
    const created = '2026-01-15T10:00:00.000Z';
    const message = sealMessage(
      {
        id: spelling.id ?? random.uuid(),
        type: spelling.type ?? 'broadcast',
        txtype: 'batch_pin',
        author,
        key,
        created,
        namespace,
        topics: [...(spelling.topics ?? drawTopics(topics))],
        ...(spelling.tag !== undefined && { tag: spelling.tag }),
      },
      [item],
    );
    const messages = [...(spelling.alsoMessages ?? []), message];
    const transactionId = random.uuid();
    const sealed = sealBatch({
      id: spelling.batchId ?? random.uuid(),
      namespace,
      node,
      author,
      key,
      transactionId,
      created,
      messages,
      data: [...(spelling.alsoData ?? []), { ...item, validator: 'json', created, value }],
    });
    return {
      text: sealed.payload,
      messages,
      call: callOf(sealed.payload, sealed.id, transactionId, contextsOf(messages)),
    };
  }

  function callOf(text: string, batchId: string, transactionId: string, contexts: readonly string[]): PinCall {
    const batchHash = sha256(text);
    return { type: 'pin_batch', transactionId, batchId, batchHash, payloadRef: batchHash, contexts };
  }

  function publish(text: string): void {
    const bytes = new TextEncoder().encode(text);
    oracle.learnPayload(text);
    void store.put(bytes);
  }

  function pin(call: PinCall, plan?: 'void' | 'withheld'): void {
    if (plan !== undefined) oracle.plan({ id: call.batchId, hash: call.batchHash, signer: key }, plan);
    ledger.call(key, call);
  }

  function publishAndPin(forged: Forged, plan?: 'void' | 'withheld'): void {
    publish(forged.text);
    pin(forged.call, plan);
  }

  /** The same batch with another text, so that its hash is true and its content is not. */
  function rewritten(forged: Forged, change: (text: string) => string): Forged {
    const text = change(forged.text);
    const { batchId, transactionId, contexts } = forged.call;
    return { ...forged, text, call: callOf(text, batchId, transactionId, contexts) };
  }

  /** A broadcast of an honest party, whether it is pinned yet or not. */
  function honestPayload(): string | undefined {
    const honest = [...oracle.payloads().values()].filter((text) => !text.includes(`"key":"${key}"`));
    return pick(honest.filter((text) => /^{"version":1,"id":"[^"]*","type":"broadcast"/.test(text)));
  }

  const tricks: Readonly<Record<string, () => void>> = {
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
      pin(forge({ topics: drawTopics(sacrificed) }).call, 'withheld');
    },
    wrongReference() {
      const other = pick(own);
      if (other === undefined) return;
      const { call } = forge({ topics: drawTopics(sacrificed) });
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
  const names = Object.keys(tricks);

  return {
    act() {
      const name = pick(names) ?? 'valid';
      scheduler.note('hostile', name);
      tricks[name]?.();
    },
  };
}

/** The data of a payload that we have sealed ourselves. */
function dataOf(text: string): PayloadData[] {
  const value = String.raw`\{"from":"[^"]*","number":\d+\}`;
  const pattern = new RegExp(
    `{"id":"([^"]+)","validator":"json","hash":"([^"]+)","created":"([^"]+)","value":(${value})}`,
    'g',
  );
  return [...text.matchAll(pattern)].map(([, id = '', hash = '', created = '', value = '']) => ({
    id,
    validator: 'json',
    hash,
    created,
    value: textOf(JSON.parse(value)),
  }));
}

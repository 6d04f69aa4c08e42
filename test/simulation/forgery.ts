import { sealBatch } from '../../src/domain/messages/batch.js';
import { hashOfGroup } from '../../src/domain/group.js';
import { hashOfItem, sha256 } from '../../src/domain/hash.js';
import { identityId, nodeDid, organizationDid } from '../../src/domain/network/identity.js';
import { sealMessage, type SealedMessage } from '../../src/domain/messages/message.js';
import { contextsOf } from '../../src/domain/messages/pin.js';
import type { PinCall } from '../../src/ports/blockchain.js';
import type { PayloadData } from '../../src/wire/messages/batch.js';
import type { Blob } from '../../src/wire/data/data.js';
import type { EnvelopeGroup } from '../../src/wire/messages/group.js';
import { textOf } from '../../src/wire/json/json.js';
import type { JsonText } from '../../src/wire/scalar.js';
import type { Simulator } from './life.js';

/** A batch of the hostile member, and the call that pins it. */
export interface Forged {
  readonly text: string;
  readonly call: PinCall;
  readonly messages: readonly SealedMessage[];
}

/** Differences from a valid broadcast. */
export interface Spelling {
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
  readonly value?: JsonText;
  readonly datatype?: { readonly name: string; readonly version: string };
  /** Turns the item into a file, with or without a value. */
  readonly blob?: Blob;
  readonly hasNoValue?: boolean;
  /** Makes the batch private; one nonce for each topic. */
  readonly group?: EnvelopeGroup;
  readonly nonces?: readonly number[];
}

export interface Forgery {
  /** Returns a batch that is valid apart from `spelling`. */
  forge(spelling?: Spelling): Forged;
}

export interface ForgeryParts {
  readonly simulator: Simulator;
  readonly topics: readonly string[];
  readonly organization: string;
  readonly key: string;
}

export function createForgery({ simulator, topics, organization, key }: ForgeryParts): Forgery {
  const { random } = simulator.scheduler;
  const node = identityId(nodeDid(`${organization}-node`));
  const created = '2026-01-15T10:00:00.000Z';

  return {
    forge(spelling = {}) {
      const { blob, hasNoValue = false } = spelling;
      const value = spelling.value ?? textOf({ from: organization, number: random.integer(1_000_000_000) });
      const content = { ...(!hasNoValue && { value }), ...(blob !== undefined && { blob }) };
      const item = { id: spelling.dataId ?? random.uuid(), hash: hashOfItem(content) };
      const { author = organizationDid(organization), namespace = 'default', group, nonces } = spelling;
      const sealed = sealMessage(
        {
          id: spelling.id ?? random.uuid(),
          type: group === undefined ? (spelling.type ?? 'broadcast') : 'private',
          txtype: 'batch_pin',
          author,
          key,
          created,
          namespace,
          ...(group !== undefined && { group: hashOfGroup(group.namespace, group.name, group.members) }),
          topics: [...(spelling.topics ?? drawTopics(random, topics))],
          ...(spelling.tag !== undefined && { tag: spelling.tag }),
        },
        [item],
      );
      const message = nonces === undefined ? sealed : { ...sealed, nonces };
      const messages = [...(spelling.alsoMessages ?? []), message];
      const transactionId = random.uuid();
      const typed = spelling.datatype === undefined ? {} : { datatype: spelling.datatype };
      const batch = sealBatch({
        id: spelling.batchId ?? random.uuid(),
        namespace,
        node,
        author,
        key,
        transactionId,
        created,
        messages,
        data: [...(spelling.alsoData ?? []), { ...item, ...typed, validator: 'json', created, ...content }],
      });
      const call = callOf(batch.payload, batch.id, transactionId, contextsOf(messages));
      return { text: batch.payload, messages, call: group === undefined ? call : { ...call, payloadRef: '' } };
    },
  };
}

/** Draws one or two topics. */
export function drawTopics(random: Simulator['scheduler']['random'], from: readonly string[]): string[] {
  const pick = (): string => from[random.integer(from.length)] ?? 'default';
  return [...new Set([pick(), pick()])];
}

/** The call that pins a text in the store. */
export function callOf(text: string, batchId: string, transactionId: string, contexts: readonly string[]): PinCall {
  const batchHash = sha256(text);
  return { type: 'pin_batch', transactionId, batchId, batchHash, payloadRef: batchHash, contexts };
}

/** The data of a forged payload. */
export function dataOf(text: string): PayloadData[] {
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

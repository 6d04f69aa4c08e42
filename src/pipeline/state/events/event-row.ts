import { definedNamespace, definitionEventTopic } from '../../../domain/network/identity.js';
import type { MessageRow, NewRow, OperationRow } from '../../../ports/tables/tables.js';

/**
 * Returns the namespace of the event about a decision: the message's own, except that the rejection of this node's own
 * definition is reported in the namespace that it was for, because applications do not listen to the system namespace.
 */
export function namespaceOfDecision(
  { namespace, type, topics, key }: Pick<MessageRow, 'namespace' | 'type' | 'topics' | 'key'>,
  state: 'confirmed' | 'rejected',
  own: { readonly keys: readonly string[] },
): string {
  const isOwn = type === 'definition' && state === 'rejected' && own.keys.includes(key);
  return (isOwn ? definedNamespace(topics) : undefined) ?? namespace;
}

/**
 * Returns all namespaces that get an event about a decision. For a definition these include the namespace that it was
 * for, where FireFly's clients wait for the message.
 */
export function namespacesOfDecision(
  message: Pick<MessageRow, 'namespace' | 'type' | 'topics' | 'key'>,
  state: 'confirmed' | 'rejected',
  own: { readonly keys: readonly string[] },
): readonly string[] {
  const defined = message.type === 'definition' ? definedNamespace(message.topics) : undefined;
  const first = namespaceOfDecision(message, state, own);
  return defined === undefined || defined === first ? [first] : [first, defined];
}

/** Builds the event about the decision of a message (docs/api.md §13.2). */
export function newMessageEvent(
  message: Pick<MessageRow, 'namespace' | 'id' | 'hash' | 'cid' | 'topics' | 'author' | 'group' | 'tag' | 'txtype'>,
  event: {
    readonly id: string;
    readonly state: 'confirmed' | 'rejected';
    readonly tx: string;
    readonly correlator?: string | undefined;
    readonly created: string;
    readonly namespace?: string;
  },
): NewRow<'events'> {
  const { id, state, tx, correlator, created, namespace = message.namespace } = event;
  return {
    namespace,
    id,
    type: `message_${state}`,
    reference: message.id,
    referenceHash: message.hash,
    correlator: correlator ?? message.cid,
    tx,
    topic: message.topics[0] ?? null,
    topics: message.topics,
    author: message.author,
    group: message.group,
    tag: message.tag,
    txtype: message.txtype,
    chainName: null,
    listener: null,
    created,
  };
}

/**
 * Builds the event of a message whose operation has failed permanently or needs someone to act. It refers to the
 * operation but has the message's fields, so that filters by message match.
 */
export function newOperationEvent(
  type: 'message_op_failed' | 'message_op_waiting',
  message: Pick<MessageRow, 'namespace' | 'id' | 'hash' | 'topics' | 'author' | 'group' | 'tag' | 'txtype'>,
  operation: Pick<OperationRow, 'id' | 'tx'>,
  { id, created }: { readonly id: string; readonly created: string },
): NewRow<'events'> {
  const { namespace, id: correlator, hash: referenceHash, topics, author, group, tag, txtype } = message;
  const subject = { namespace, id, reference: operation.id, referenceHash, correlator, tx: operation.tx, created };
  return {
    ...newEvent({ ...subject, type, txtype, topic: topics[0] ?? null }),
    topics,
    author,
    group,
    tag,
  };
}

export type EventSubject = Pick<NewRow<'events'>, 'namespace' | 'id' | 'type' | 'reference' | 'created'> &
  Partial<
    Pick<NewRow<'events'>, 'referenceHash' | 'correlator' | 'tx' | 'txtype' | 'topic' | 'chainName' | 'listener'>
  >;

/** Builds an event that is not about a message (docs/api.md §13.2); filters by message do not match it. */
export function newEvent(event: EventSubject): NewRow<'events'> {
  const { topic = null } = event;
  return {
    referenceHash: '',
    correlator: null,
    tx: null,
    txtype: null,
    chainName: null,
    listener: null,
    ...event,
    topic,
    topics: topic === null ? [] : [topic],
    author: null,
    group: null,
    tag: null,
  };
}

export function newDefinitionEvent(
  event: Omit<EventSubject, 'topic'> & {
    /** By default that of all definitions. */
    readonly topic?: string | undefined;
  },
): NewRow<'events'> {
  return newEvent({ ...event, topic: event.topic ?? definitionEventTopic });
}

/**
 * Builds the event of a transaction that this node has started; other participants have no such event (docs/api.md
 * §13.2).
 */
export function newSubmittedEvent(transaction: NewRow<'transactions'>, id: string): NewRow<'events'> {
  const { namespace, id: tx, type, created } = transaction;
  const subject = { namespace, id, type: 'transaction_submitted', reference: tx } as const;
  return newEvent({ ...subject, tx, txtype: type, topic: type, created });
}

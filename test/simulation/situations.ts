/** Situations that a few hundred seeds must reach, with or without tokens. */
export const messagingSituations = [
  'effect after the death of the caller',
  'death between an effect and its answer',
  'death inside a unit',
  'unit repeated',
  'commit refused',
  'reply lost after mining',
  'page of logs repeated',
  'payload missing at first',
  'payload truncated',
  'payload wrong',
  'all bells lost',
  'chain away',
  'store away',
  'clock jumped',
  'late joiner caught up',
  'idempotency key used again after a lost answer',
  'several messages in a batch',
  'head in one context and blocked in another',
  'batch partly known on arrival',
  'void batch',
  'repeated pin',
  'copied batch of another signer',
  'batch id reused with another hash',
  'rejected message',
  'message of a namespace that is not here',
  'payload withheld for ever',
  'payload released late',
  'masked pin with the hash of a topic',
  'same datatype from two nodes',
  'message waits for a definition',
  'rejected for its datatype',
  'data described otherwise',
  'void for a reused nonce',
  'void for a crossed nonce',
  'void for a nonce ahead of its turn',
  'private message',
  'private message to oneself',
  'file sent in private',
  'file broadcast',
  'messages that fill a batch',
  'two requests with one key at once',
  'envelope delivered twice',
  'acknowledgement of a peer lost',
  'node cut off from the others',
  'blob cut on its way',
  'disk full',
  'power lost',
  'reject inside a private sequence',
  'window full',
  'takeover of an event in flight',
  'restart at an unacknowledged event',
  'acknowledged out of order',
  'subscription replaced',
  'subscription removed',
  'durable subscription saw every event',
  'subscription saw every event of its time',
] as const;

/** Situations that seeds with tokens must reach. */
const tokenSituations = ['operation of tokens accepted', 'operation of tokens refused by the contract'] as const;

/** Situations that seeds must reach in which users share records later or never, and delete some. */
export const localRecordSituations = [
  'pool made for its creator alone',
  'pool shared later',
  'pool deleted',
  'approval accepted',
  'operation retried',
  'interface shared later',
  'interface or API deleted',
] as const;

/** Situations that seeds must reach in which requests meet others under way. */
export const overlapSituations = [
  'pin reverted',
  'failed pin retried',
  'batch cancelled',
  'batch not cancelled, as its pin may succeed',
  'approval with a message accepted',
  'pool kept, as it is shared or may be',
  'two requests of operations with one key at once',
  'request told of a confirmation',
  'request told of a rejection',
  'request told of a cancellation',
  'request told of an operation',
  'death while a request waits',
  'item passed on',
  'item of a private message passed on',
  'value of an item published',
  'file of an item published',
  'filter of a subscription replaced',
] as const;

/** Situations that such seeds must reach if the chain also replaces blocks. */
export const replacedOverlapSituations = [
  'pin of a cancelled batch mined again with effect',
  'nonce of a cancelled message pinned twice',
] as const;

/** Situations that seeds with failing judgements must reach. */
const judgementSituations = ['judgement given up', 'death during a judgement'] as const;

/** Situations that seeds with reorganisations must reach. */
export const reorganisationSituations = [
  'blocks replaced',
  'transaction mined again by the chain',
  'node stopped by a reorganisation',
  'death during a rebuild',
  'all events taken back',
  'event kept by a rebuild',
] as const;

/** Situations that seeds must reach in which users have parties rebuilt. */
export const rebuildSituations = ['party rebuilt from a block on', 'batch requested again'] as const;

/** Situations that seeds with deletions must reach. */
export const deletionSituations = ['item deleted', 'item kept for those who need it'] as const;

/** Situations that seeds with webhooks must reach. */
export const webhookSituations = ['webhook refused', 'webhook lost on its way'] as const;

/** Situations that seeds with interfaces and contract APIs must reach. */
export const contractSituations = ['interface or API accepted', 'interface or API refused'] as const;

/** Situations that seeds with custom identities must reach. */
export const identitySituations = [
  'identity registered',
  'organisation registered below a member',
  'name of an identity taken by another member',
  'key of an identity taken by another member',
  'name or key refused as taken',
  'claim of what is taken',
  'parent of another member refused',
  'registration by a key of no member',
  'registration before its member',
  'pin of a key that is not registered',
  'pin repeated once its key is registered',
  'profile changed',
  'profile changed by another member',
  'profile changed before the registration',
  'message of a custom identity',
  'private message of a custom identity',
  'custom identity as a member of a group',
  'message before its author is known',
  'message for an identity of another member refused',
  'author does not own the key',
] as const;

/** Situations that seeds with listeners must reach. */
export const listenerSituations = [
  'listener accepted',
  'listener refused',
  'listener deleted',
  'listener deleted before it had joined',
  'listener stored before its node had read a block',
  'listener ahead of the chain',
  'history told to a listener',
  'chain went on before a listener had joined',
  'death before a listener had joined',
  'page read before a source was followed',
  'log of several listeners',
  'log of two filters',
  'log of another layout passed over',
  'heard logs taken back',
  'call refused by the contract',
] as const;

/** Situations that mixed seeds must reach; a hundred of them seldom reach both. */
const mixedSituations = ['pool is elsewhere than its definition says', 'message without its operation'] as const;

/** Situations that a few thousand seeds must reach. */
export const situations = [
  ...messagingSituations,
  ...tokenSituations,
  ...localRecordSituations,
  ...overlapSituations,
  ...replacedOverlapSituations,
  ...judgementSituations,
  ...reorganisationSituations,
  ...rebuildSituations,
  ...deletionSituations,
  ...webhookSituations,
  ...contractSituations,
  ...identitySituations,
  ...listenerSituations,
  ...mixedSituations,
] as const;
export type Situation = (typeof situations)[number];

/** Returns the situations that no seed has reached; a suite that misses one does not test enough. */
export function missedSituations(
  report: { readonly situations: Readonly<Record<string, number>> },
  wanted: readonly Situation[] = situations,
): readonly Situation[] {
  return wanted.filter((situation) => (report.situations[situation] ?? 0) === 0);
}

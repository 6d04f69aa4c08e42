import { firstOverlapSeed, firstReplacedOverlapSeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const cancel = 'src/pipeline/accept/messages/cancel.js';
const subscriptions = 'src/pipeline/deliver/durable-subscriptions.js';
const from = firstOverlapSeed;

/** Bugs of requests that meet others under way, and of a second namespace. */
export const overlapPlants: readonly Plant[] = [
  {
    id: 'P96',
    bug: 'the nonces of a cancelled batch are used up',
    patches: [
      {
        file: cancel,
        find: `await unit.update('nonces', { context, identity: author }, { nonce });`,
        replace: '',
      },
    ],
    from,
  },
  {
    id: 'P97',
    bug: 'a batch is cancelled though its pin may succeed',
    patches: [{ file: cancel, find: `if (pin?.status !== 'Failed')`, replace: 'if (false)' }],
    from,
  },
  {
    id: 'P98',
    bug: 'a pool for all parties waits for ever for its definition, whose batch was cancelled',
    patches: [{ file: cancel, find: 'return withdrawDefinitions(unit, messages, own);', replace: 'return [];' }],
    from,
  },
  {
    id: 'P99',
    bug: 'a pool is deleted though its definition is on its way',
    patches: [
      {
        file: 'src/pipeline/accept/tokens/publish.js',
        find: `await refuseShared(unit, pool, 'published_kept');`,
        replace: '',
      },
    ],
    from,
  },
  {
    id: 'P100',
    bug: 'a request does not notice that its message was cancelled',
    patches: [
      {
        file: 'src/node/messages/confirm.js',
        find: 'return Promise.race([event, cancelled.then(() => event)]);',
        replace: 'return Promise.race([event, cancelled.then(() => event, () => event)]);',
      },
    ],
    from,
  },
  {
    id: 'P101',
    bug: 'an idempotency key is used up in all namespaces',
    patches: [
      {
        file: 'src/pipeline/accept/messages/used-keys.js',
        find: 'row.idempotencyKey === key && definitionTopic(row.namespace) === topic',
        replace: 'row.idempotencyKey === key',
      },
    ],
    from,
  },
  {
    id: 'P102',
    bug: 'subscriptions of one name in two namespaces are taken for one',
    patches: [{ file: subscriptions, find: 'return `${namespace}/${name}`;', replace: 'return name;' }],
    from,
  },
  {
    id: 'P103',
    bug: 'a subscription that is replaced goes on with its old filter',
    patches: [{ file: subscriptions, find: 'place.durable?.update(row);', replace: '' }],
    from,
  },
  {
    id: 'P104',
    bug: 'the data of an approval does not say which message belongs to it',
    patches: [
      {
        file: 'src/pipeline/accept/tokens/operation.js',
        find: 'data: operationData(tx, { id: header.id, hash }), reference',
        replace: `data: operationData(tx, type === 'token_approval' ? undefined : { id: header.id, hash }), reference`,
      },
    ],
    from,
  },
  {
    id: 'P105',
    bug: 'the contract of a pool is looked up by its name in any namespace',
    patches: [
      {
        file: 'src/pipeline/accept/tokens/names.js',
        find: `read: (namespace, names) => database.rows('pools', { namespace, name: names }, { limit: names.length })`,
        replace: `read: (_, name) => database.rows('pools', { namespace: ['default', 'other'], name }, { limit: 10 })`,
      },
    ],
    from,
  },
  {
    id: 'P106',
    bug: 'a node stops at the pin of a batch that it has cancelled',
    patches: [
      {
        file: 'src/pipeline/receive/chain/pin.js',
        find: 'await reviveBatch(unit, batch);',
        replace: 'throw foreignPin(log);',
      },
    ],
    from: firstReplacedOverlapSeed,
  },
  {
    id: 'P107',
    bug: 'a pin that was reverted at first ends the operation that retries it',
    patches: [
      {
        file: 'src/pipeline/receive/messages/own.js',
        find: 'transactionHash, ...isOpen',
        replace: '...isOpen',
      },
    ],
    from: firstReplacedOverlapSeed,
  },
  {
    id: 'P108',
    bug: 'a later batch is pinned although the pin before it was reverted after a reorganisation',
    patches: [
      {
        file: 'src/pipeline/dispatch/chain/pin.js',
        find: 'turn: () => turnOf(database, operation),',
        replace: '',
      },
    ],
    from: firstReplacedOverlapSeed,
  },
];

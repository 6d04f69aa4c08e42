import { expect, test } from 'vitest';
import type { Route } from '../../../src/wire/route.js';
import { refusedPosts, routes } from '../../../src/wire/routes.js';
import { oneNode } from '../../support/one-node.js';

/** The methods and paths of FireFly 1.4, each of which exists below its namespace as well. */
const described = `
  GET,POST apis
  DELETE,GET,PUT apis/{}
  GET apis/{}/interface
  POST apis/{}/invoke/{}
  GET,POST apis/{}/listeners/{}
  POST apis/{}/publish
  POST apis/{}/query/{}
  GET batches
  GET batches/{}
  POST batches/{}/cancel
  GET blockchainevents
  GET blockchainevents/{}
  GET charts/histogram/{}
  POST contracts/deploy
  GET,POST contracts/interfaces
  POST contracts/interfaces/generate
  DELETE,GET contracts/interfaces/{}
  GET contracts/interfaces/{}/{}
  POST contracts/interfaces/{}/{}/publish
  POST contracts/invoke
  GET,POST contracts/listeners
  POST contracts/listeners/signature
  DELETE,GET contracts/listeners/{}
  POST contracts/query
  GET,POST data
  DELETE,GET data/{}
  GET data/{}/blob
  POST data/{}/blob/publish
  GET data/{}/messages
  GET data/{}/value
  POST data/{}/value/publish
  GET datasubpaths/{}
  GET,POST datatypes
  GET datatypes/{}/{}
  GET events
  GET events/{}
  GET groups
  GET groups/{}
  GET,POST identities
  GET,PATCH identities/{}
  GET identities/{}/did
  GET identities/{}/verifiers
  GET messages
  POST messages/broadcast
  POST messages/private
  POST messages/requestreply
  GET messages/{}
  GET messages/{}/data
  GET messages/{}/events
  GET messages/{}/transaction
  GET namespaces
  GET namespaces/{}
  POST network/action
  GET network/diddocs/{}
  GET network/identities
  GET network/identities/{}
  GET network/nodes
  POST network/nodes/self
  GET network/nodes/{}
  GET,POST network/organizations
  POST network/organizations/self
  GET network/organizations/{}
  GET nextpins
  GET operations
  GET operations/{}
  POST operations/{}/retry
  GET pins
  POST pins/rewind
  GET status
  GET status/batchmanager
  GET status/multiparty
  GET,POST,PUT subscriptions
  DELETE,GET subscriptions/{}
  GET subscriptions/{}/events
  GET tokens/accounts
  GET tokens/accounts/{}/pools
  GET,POST tokens/approvals
  GET tokens/balances
  POST tokens/burn
  GET tokens/connectors
  POST tokens/mint
  GET,POST tokens/pools
  DELETE,GET tokens/pools/{}
  POST tokens/pools/{}/publish
  GET,POST tokens/transfers
  GET tokens/transfers/{}
  GET transactions
  GET transactions/{}
  GET transactions/{}/blockchainevents
  GET transactions/{}/operations
  GET transactions/{}/status
  GET verifiers
  POST verifiers/resolve
  GET verifiers/{}
  GET websockets
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [methods = '', path = ''] = line.trim().split(' ');
    return methods.split(',').map((method) => `${method} ${path}`);
  });

const node = oneNode();
const shape = (path: string) => path.replaceAll(/\{\w+\}/g, '{}').replace(/^\/(?:api\/v1\/)?/, '');
const known = new Set([
  ...Object.values<Route>(routes).flatMap(({ method, path, also = [] }) =>
    [path, ...also].map((each) => `${method.toUpperCase()} ${shape(each)}`),
  ),
  ...refusedPosts.map(({ path }) => `POST ${path}`),
]);

test('every route of FireFly’s description exists', () => {
  expect(described.filter((each) => !known.has(each))).toEqual([]);
});

test('a DID in a path may be plain, or encoded in part or as a whole', async () => {
  const forms = [
    'did:parley:org/alice',
    'did:firefly:org%2Falice',
    'did%3Afirefly%3Aorg/alice',
    'did%3aparley%3aorg%2falice',
  ];
  for (const path of ['identities', 'network/identities', 'network/organizations', 'network/diddocs']) {
    for (const did of forms) {
      const response = await fetch(`${node().url}/api/v1/${path}/${did}`);
      expect([path, did, response.status]).toEqual([path, did, 200]);
    }
  }
});

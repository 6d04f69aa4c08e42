import type { Definition } from './definition.js';

type Messaging =
  'blobs' | 'groups' | 'profiles' | 'datatypes' | 'candidates' | 'claims' | 'nonces' | 'nextpins' | 'subscriptions';

/** The tables of `ports/tables/messaging-tables.ts`. */
export const messagingDefinitions = {
  blobs: {
    columns: { namespace: 'text', hash: 'text', sizeBytes: 'integer', created: 'text' },
    uniqueKeys: [['hash']],
    lookups: ['hash'],
  },
  groups: {
    columns: { namespace: 'text', hash: 'text', name: 'text', members: 'json', created: 'text', message: 'text?' },
    uniqueKeys: [['hash']],
    lookups: ['hash'],
  },
  profiles: {
    columns: {
      namespace: 'text',
      identity: 'text',
      description: 'text?',
      profile: 'text?',
      claim: 'text?',
      message: 'text',
      updated: 'text',
    },
    uniqueKeys: [['namespace', 'identity']],
    lookups: ['identity'],
  },
  datatypes: {
    columns: {
      namespace: 'text',
      id: 'text',
      message: 'text',
      name: 'text',
      version: 'text',
      hash: 'text',
      value: 'text',
      created: 'text',
      pin: 'integer',
    },
    uniqueKeys: [
      ['namespace', 'id'],
      ['namespace', 'name', 'version'],
    ],
    lookups: ['id', 'name'],
  },
  candidates: {
    columns: {
      namespace: 'text',
      hash: 'text',
      peer: 'text',
      batch: 'text',
      group: 'text',
      groupName: 'text',
      groupNamespace: 'text',
      members: 'json',
      sizeBytes: 'integer',
      created: 'text',
    },
    uniqueKeys: [['hash', 'peer']],
    lookups: ['hash', 'peer'],
  },
  claims: {
    columns: { namespace: 'text', blob: 'text', sizeBytes: 'integer', peer: 'text', source: 'text' },
    uniqueKeys: [['blob', 'peer', 'source']],
    lookups: ['blob', 'peer', 'source'],
  },
  nonces: {
    columns: { namespace: 'text', context: 'text', identity: 'text', nonce: 'integer' },
    uniqueKeys: [['context', 'identity']],
    lookups: ['context'],
  },
  nextpins: {
    columns: {
      namespace: 'text',
      context: 'text',
      topic: 'text',
      group: 'text',
      identity: 'text',
      nonce: 'integer',
      hash: 'text',
    },
    uniqueKeys: [['context', 'identity']],
    lookups: ['context', 'hash'],
  },
  subscriptions: {
    columns: {
      namespace: 'text',
      id: 'text',
      name: 'text',
      transport: 'word',
      filter: 'text',
      options: 'text',
      cursor: 'integer',
      created: 'text',
      updated: 'text?',
      maker: 'text?',
    },
    uniqueKeys: [['id'], ['namespace', 'name']],
    lookups: ['id', 'name'],
  },
} satisfies { readonly [T in Messaging]: Definition<T> };

import type { Definition } from './definition.js';

type Contract = 'sources' | 'interfaces' | 'apis' | 'listeners' | 'blockchainevents';

/** The tables of `ports/tables/contract-tables.ts`. */
export const contractDefinitions = {
  sources: {
    columns: {
      namespace: 'text',
      kind: 'word',
      subject: 'text',
      address: 'text?',
      topics: 'json',
      withInput: 'boolean',
    },
    uniqueKeys: [['kind', 'subject']],
    lookups: ['subject'],
  },
  interfaces: {
    columns: {
      namespace: 'text',
      id: 'text',
      message: 'text?',
      name: 'text',
      networkName: 'text?',
      description: 'text',
      version: 'text',
      methods: 'text',
      events: 'text',
      errors: 'text',
      published: 'boolean',
      pin: 'integer?',
    },
    uniqueKeys: [
      ['namespace', 'id'],
      ['namespace', 'name', 'version'],
    ],
    lookups: ['id', 'name', 'networkName'],
  },
  apis: {
    columns: {
      namespace: 'text',
      id: 'text',
      message: 'text?',
      name: 'text',
      networkName: 'text?',
      interface: 'text',
      location: 'text?',
      published: 'boolean',
      pin: 'integer?',
    },
    uniqueKeys: [
      ['namespace', 'id'],
      ['namespace', 'name'],
    ],
    lookups: ['id', 'name', 'networkName'],
  },
  listeners: {
    columns: {
      namespace: 'text',
      id: 'text',
      interface: 'text?',
      name: 'text',
      backendId: 'text',
      location: 'text?',
      event: 'text?',
      signature: 'text',
      topic: 'text',
      options: 'text',
      filters: 'text',
      state: 'word',
      firstBlock: 'integer?',
      created: 'text',
      updated: 'text?',
    },
    uniqueKeys: [
      ['namespace', 'id'],
      ['namespace', 'name'],
    ],
    lookups: ['id', 'name'],
  },
  blockchainevents: {
    columns: {
      namespace: 'text',
      id: 'id',
      source: 'text',
      name: 'text',
      listener: 'id?',
      origin: 'text',
      protocolId: 'text',
      output: 'text',
      info: 'text',
      timestamp: 'text',
      txtype: 'text?',
      txid: 'id?',
      blockchainId: 'id?',
    },
    uniqueKeys: [['id'], ['namespace', 'origin', 'protocolId']],
    lookups: ['id', 'listener', 'txid', 'blockchainId'],
    long: ['output'],
  },
} satisfies { readonly [T in Contract]: Definition<T> };

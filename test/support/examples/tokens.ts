import { expect } from 'vitest';
import { compact } from '../../../src/wire/json/json-reader.js';
import type { tokenRoutes } from '../../../src/wire/routes/tokens.js';
import type { Example, Examples, Scene } from './example.js';

const ofPool = () => ({ nameOrId: 'coins' });

/** Returns names that no pool has. */
function freshNames(start: string): () => string {
  let number = 0;
  return () => `${start}-${(number += 1)}`;
}

const [pools, drafts] = [freshNames('pool'), freshNames('draft')];

function anOperation(name: 'mintTokens' | 'transferTokens' | 'burnTokens', to: { readonly to?: string }): Example {
  return {
    call: ({ client }) => client[name]({ body: { amount: compact('1'), pool: 'coins', ...to } }),
    shows: ({ pool }) => ({ pool: pool.id, amount: '1', connector: 'erc1155', tx: { type: 'token_transfer' } }),
    body: `{"amount":1,"pool":"coins"${to.to === undefined ? '' : `,"to":"${to.to}"`}}`,
  };
}

export const tokenExamples: Examples<typeof tokenRoutes> = {
  createTokenPool: {
    call: ({ client }) => client.createTokenPool({ body: { name: pools(), type: 'nonfungible' } }),
    shows: () => ({ type: 'nonfungible', connector: 'erc1155', active: false, published: false }),
    body: () => `{"name":"${pools()}","type":"fungible"}`,
  },
  listTokenPools: {
    call: ({ client }) => client.listTokenPools({ query: { name: 'coins', published: true } }),
    shows: ({ pool }) => [pool],
  },
  getTokenPool: {
    call: ({ client }) => client.getTokenPool({ path: ofPool() }),
    shows: ({ pool }) => pool,
    parameters: ofPool,
  },
  deleteTokenPool: {
    call: ({ client, spareDraft }) => client.deleteTokenPool({ path: { nameOrId: spareDraft() } }),
    shows: () => null,
    parameters: ({ spareDraft }) => ({ nameOrId: spareDraft() }),
  },
  publishTokenPool: {
    call: ({ client, spareDraft }) => client.publishTokenPool({ path: { nameOrId: spareDraft() }, body: {} }),
    shows: () => ({ published: false, message: expect.any(String) }),
    parameters: ({ spareDraft }) => ({ nameOrId: spareDraft() }),
    body: () => `{"networkName":"${drafts()}"}`,
  },
  mintTokens: anOperation('mintTokens', {}),
  transferTokens: anOperation('transferTokens', { to: 'bob' }),
  burnTokens: anOperation('burnTokens', {}),
  listTokenTransfers: {
    call: ({ client, transfer: { localId, key } }) =>
      client.listTokenTransfers({ query: { localid: localId, fromOrTo: key, pool: 'coins' } }),
    shows: ({ transfer }) => [transfer],
  },
  getTokenTransfer: {
    call: ({ client, transfer: { localId } }) => client.getTokenTransfer({ path: { localId } }),
    shows: ({ transfer }) => transfer,
    parameters: ({ transfer: { localId } }) => ({ localId }),
  },
  listTokenBalances: {
    call: ({ client, pool, transfer: { to = '' } }) =>
      client.listTokenBalances({ query: { pool: pool.id, key: to, balance: '>0' } }),
    shows: ({ pool, transfer }) => [{ pool: pool.id, key: transfer.to, connector: 'erc1155' }],
  },
  listTokenAccounts: {
    call: ({ client, transfer }) => client.listTokenAccounts({ query: { key: transfer.to ?? '' } }),
    shows: ({ transfer }) => [{ key: transfer.to }],
  },
  listTokenAccountPools: {
    call: (scene) => scene.client.listTokenAccountPools({ path: ofAccount(scene), query: { pool: 'coins' } }),
    shows: ({ pool }) => [{ pool: pool.id }],
    parameters: ofAccount,
  },
  listTokenConnectors: {
    call: ({ client }) => client.listTokenConnectors(),
    shows: () => [{ name: 'erc1155' }],
  },
  approveTokens: {
    call: ({ client }) => client.approveTokens({ body: { operator: 'bob', pool: 'coins' } }),
    shows: ({ pool }) => ({ pool: pool.id, approved: true, tx: { type: 'token_approval' } }),
    body: '{"operator":"bob","pool":"coins"}',
  },
  listTokenApprovals: {
    call: ({ client, approval: { localId } }) => client.listTokenApprovals({ query: { localid: localId } }),
    shows: ({ approval: { localId, operator } }) => [{ localId, operator, approved: true }],
  },
};

function ofAccount({ transfer }: Scene): { readonly key: string } {
  return { key: transfer.to ?? '' };
}

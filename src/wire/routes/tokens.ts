import { requiring } from '../json/required-mark.js';
import { get, list, post, remove } from '../route.js';
import { Confirm, Flag } from '../scalar.js';
import {
  ApprovalRequest,
  PoolRequest,
  PublishRequest,
  TokenAccount,
  TokenAccountPool,
  TokenApproval,
  TokenBalance,
  TokenConnectorName,
  TokenPool,
  TokenTransfer,
  TransferRequest,
} from '../token.js';
import { Type } from '@sinclair/typebox';

const transfer = {
  query: { confirm: Confirm },
  body: requiring(['amount'], TransferRequest),
  status: 202,
  reply: TokenTransfer,
  signs: true,
  granted:
    'A credential for namespaces needs the grant "tokens" for a pool that is also a pool of another namespace, ' +
    "or that calls methods of its contract's own.",
} as const;

export const tokenRoutes = {
  createTokenPool: post('tokens/pools', {
    changes: 'pools',
    signs: true,
    grant: 'tokens',
    summary: 'Create a pool of tokens; all parties see its tokens, unless publish=false',
    query: { publish: Flag, confirm: Confirm },
    body: requiring(['name', 'type'], PoolRequest),
    status: 202,
    reply: TokenPool,
  }),
  listTokenPools: list('tokens/pools', {
    from: 'pools',
    summary: 'List token pools, newest first',
    reply: TokenPool,
  }),
  getTokenPool: get('tokens/pools/{nameOrId}', { summary: 'Get a token pool by its name or id', reply: TokenPool }),
  deleteTokenPool: remove('tokens/pools/{nameOrId}', {
    changes: 'pools',
    summary: 'Delete a token pool that is not published, with its balances, transfers and approvals',
  }),
  publishTokenPool: post('tokens/pools/{nameOrId}/publish', {
    changes: 'pools',
    granted: "A credential for namespaces needs the grant for the key that made the pool, if not the organisation's.",
    summary: 'Publish a token pool that was created with publish=false to all parties',
    query: { confirm: Confirm },
    body: PublishRequest,
    status: 202,
    reply: TokenPool,
  }),
  mintTokens: post('tokens/mint', { summary: 'Mint tokens of a pool, optionally with a message', ...transfer }),
  transferTokens: post('tokens/transfers', {
    summary: 'Transfer tokens of a pool, optionally with a message',
    ...transfer,
    body: requiring(['amount', 'to'], TransferRequest),
  }),
  burnTokens: post('tokens/burn', { summary: 'Burn tokens of a pool, optionally with a message', ...transfer }),
  listTokenTransfers: list('tokens/transfers', {
    from: 'transfers',
    summary: 'List mints, transfers and burns, newest first',
    reply: TokenTransfer,
  }),
  getTokenTransfer: get('tokens/transfers/{localId}', {
    from: 'transfers',
    by: { localid: 'localId' },
    summary: 'Get a mint, transfer or burn, once the chain has it',
    reply: TokenTransfer,
  }),
  listTokenBalances: list('tokens/balances', {
    from: 'balances',
    summary: 'List balances of keys in pools',
    reply: TokenBalance,
  }),
  listTokenAccounts: list('tokens/accounts', {
    from: 'accounts',
    summary: 'List the keys that have ever held tokens',
    reply: TokenAccount,
  }),
  listTokenAccountPools: list('tokens/accounts/{key}/pools', {
    from: 'accountpools',
    by: { key: 'key' },
    summary: 'List the pools whose tokens a key has ever held',
    reply: TokenAccountPool,
  }),
  listTokenConnectors: get('tokens/connectors', {
    summary: 'List the token connectors of this node',
    reply: Type.Array(TokenConnectorName),
  }),
  approveTokens: post('tokens/approvals', {
    signs: true,
    grant: 'tokens',
    summary: 'Approve an operator for a key, or revoke the approval, optionally with a message',
    query: { confirm: Confirm },
    body: requiring(['operator'], ApprovalRequest),
    status: 202,
    reply: TokenApproval,
  }),
  listTokenApprovals: list('tokens/approvals', {
    from: 'approvals',
    summary: 'List approvals of operators, newest first',
    reply: TokenApproval,
  }),
} as const;

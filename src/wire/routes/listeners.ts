import { Type } from '@sinclair/typebox';
import { BlockchainEvent } from '../contracts/blockchain-event.js';
import { ApiListenerRequest, ContractListener, ListenerRequest } from '../contracts/contract.js';
import { requiring } from '../json/required-mark.js';
import { get, list, post, remove } from '../route.js';
import { Flag } from '../scalar.js';

/** Accepted for clients of FireFly; without effect, since records are on disk before the response. */
const atOnce = { confirm: Flag };

export const listenerRoutes = {
  createContractListener: post('contracts/listeners', {
    changes: 'listeners',
    summary: 'Create a listener for contract events, from the oldest, the newest, or a block on',
    query: atOnce,
    body: requiring(['topic'], ListenerRequest),
    status: 200,
    reply: ContractListener,
  }),
  getListenerSignature: post('contracts/listeners/signature', {
    summary: 'Return the signature that a listener would have',
    body: ListenerRequest,
    status: 200,
    reply: Type.Object({ signature: Type.String() }),
  }),
  listContractListeners: list('contracts/listeners', {
    from: 'listeners',
    summary: 'List listeners for events of contracts, newest first',
    reply: ContractListener,
  }),
  getContractListener: get('contracts/listeners/{nameorid}', {
    summary: 'Get a listener by its name or id',
    query: { fetchstatus: Flag },
    reply: ContractListener,
  }),
  deleteContractListener: remove('contracts/listeners/{nameorid}', {
    changes: 'listeners',
    summary: 'Delete a listener by its name or id; its recorded events stay',
  }),
  createApiListener: post('apis/{apiname}/listeners/{eventpath}', {
    changes: 'listeners',
    summary: 'Create a listener for an event of a contract API, at its location',
    query: atOnce,
    body: requiring(['topic'], ApiListenerRequest),
    status: 200,
    reply: ContractListener,
  }),
  listApiListeners: list('apis/{apiname}/listeners/{eventpath}', {
    like: 'listeners',
    summary: 'List the listeners for an event of a contract API, newest first',
    reply: ContractListener,
  }),
  listBlockchainEvents: list('blockchainevents', {
    from: 'blockchainevents',
    summary: 'List blockchain events, newest first',
    reply: BlockchainEvent,
  }),
  getBlockchainEvent: get('blockchainevents/{eventid}', {
    from: 'blockchainevents',
    by: { id: 'eventid' },
    summary: 'Get a blockchain event',
    reply: BlockchainEvent,
  }),
} as const;

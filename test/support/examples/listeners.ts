import { locationOf } from '../../../src/domain/contracts/location.js';
import { textOf, write } from '../../../src/wire/json/json.js';
import { compact } from '../../../src/wire/json/json-reader.js';
import { ListenerRequest } from '../../../src/wire/contracts/contract.js';
import type { listenerRoutes } from '../../../src/wire/routes/listeners.js';
import { boxAddress, changed, emptied } from '../listeners.js';
import type { Examples, Scene } from './example.js';

let topics = 0;
/** A second listener for the same event and topic would be refused. */
function freshTopic(): string {
  topics += 1;
  return `topic-${topics}`;
}

const signature = 'Changed(address,uint256)';
const ofEvent = ({ contract }: Scene) => ({ apiname: contract.api, eventpath: contract.event });
const inline = () => write(ListenerRequest, { topic: freshTopic(), event: changed });

export const listenerExamples: Examples<typeof listenerRoutes> = {
  createContractListener: {
    call: ({ client }) =>
      client.createContractListener({
        body: {
          topic: freshTopic(),
          filters: [{ event: changed, location: locationOf(boxAddress) }, { event: emptied }],
          options: { firstEvent: compact('"newest"') },
        },
        query: { confirm: true },
      }),
    shows: () => ({
      namespace: 'default',
      signature: `${signature};Emptied(address)`,
      options: { firstEvent: 'newest' },
      filters: [{ location: locationOf(boxAddress), signature }, { signature: 'Emptied(address)' }],
    }),
    body: inline,
  },
  getListenerSignature: {
    call: ({ client }) => client.getListenerSignature({ body: { event: changed } }),
    shows: () => ({ signature }),
    body: inline,
  },
  listContractListeners: {
    call: ({ client }) => client.listContractListeners({ query: { name: 'heard', topic: 'box', state: 'following' } }),
    shows: () => [{ name: 'heard', signature }],
  },
  getContractListener: {
    call: ({ client, contract }) =>
      client.getContractListener({ path: { nameorid: contract.listener }, query: { fetchstatus: true } }),
    shows: () => ({ name: 'heard', topic: 'box', state: 'following', event: { name: 'Changed' } }),
    parameters: ({ contract }) => ({ nameorid: contract.listener }),
  },
  deleteContractListener: {
    call: ({ client, contract }) => client.deleteContractListener({ path: { nameorid: contract.spareListener() } }),
    shows: () => null,
    parameters: ({ contract }) => ({ nameorid: contract.spareListener() }),
  },
  createApiListener: {
    call: (scene) =>
      scene.client.createApiListener({
        path: ofEvent(scene),
        body: { topic: freshTopic(), options: { firstEvent: textOf(7) } },
      }),
    shows: () => ({ location: locationOf(boxAddress), signature, options: { firstEvent: '7' } }),
    parameters: ofEvent,
    body: () => textOf({ topic: freshTopic() }),
  },
  listApiListeners: {
    call: (scene) => scene.client.listApiListeners({ path: ofEvent(scene), query: { topic: 'box' } }),
    shows: () => [{ name: 'heard', signature }],
    parameters: ofEvent,
  },
  listBlockchainEvents: {
    call: ({ client, contract }) => client.listBlockchainEvents({ query: { id: contract.heard, name: 'Changed' } }),
    shows: () => [{ name: 'Changed', source: 'ethereum', output: '{"value":"7"}' }],
  },
  getBlockchainEvent: {
    call: ({ client, contract }) => client.getBlockchainEvent({ path: { eventid: contract.heard } }),
    shows: () => ({ name: 'Changed', protocolId: '000000000003/000000/000000' }),
    parameters: ({ contract }) => ({ eventid: contract.heard }),
  },
};

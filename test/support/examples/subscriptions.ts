import { compact } from '../../../src/wire/json/json-reader.js';
import type { subscriptionRoutes } from '../../../src/wire/routes/subscriptions.js';
import type { Examples, Scene } from './example.js';

const ofApp = ({ subscription }: Scene) => ({ subid: subscription.id });

let names = 0;
/** Names must be unique within a namespace. */
function freshName(): string {
  names += 1;
  return `app-${names}`;
}

export const subscriptionExamples: Examples<typeof subscriptionRoutes> = {
  createSubscription: {
    call: ({ client }) =>
      client.createSubscription({
        body: {
          transport: 'websockets',
          name: freshName(),
          filter: compact('{"events":"^message_confirmed$","message":{"topics":"^orders$"}}'),
          options: compact('{"firstEvent":"newest","readAhead":50}'),
        },
      }),
    shows: () => ({
      namespace: 'default',
      transport: 'websockets',
      filter: '{"events":"^message_confirmed$","message":{"topics":"^orders$"},"transaction":{},"blockchainevent":{}}',
      ephemeral: false,
      updated: null,
    }),
    body: () => `{"name":"${freshName()}"}`,
  },
  replaceSubscription: {
    call: ({ client }) =>
      client.replaceSubscription({ body: { name: 'replaced', filter: compact('{"message.tag":"^t$"}') } }),
    shows: () => ({ name: 'replaced', filter: '{"message":{"tag":"^t$"},"transaction":{},"blockchainevent":{}}' }),
    body: '{"name":"replaced"}',
  },
  listSubscriptions: {
    call: ({ client }) => client.listSubscriptions({ query: { events: '=^message_', name: 'app', fetchstatus: true } }),
    shows: ({ subscription: { id } }) => [{ id, status: { currentOffset: 0, connections: 0, inFlight: 0 } }],
  },
  getSubscription: {
    call: ({ client }) => client.getSubscription({ path: { subid: 'app' } }),
    shows: ({ subscription }) => subscription,
    parameters: ofApp,
  },
  deleteSubscription: {
    call: ({ client, spareSubscription }) => client.deleteSubscription({ path: { subid: spareSubscription() } }),
    shows: () => null,
    parameters: ({ spareSubscription }) => ({ subid: spareSubscription() }),
  },
  listSubscriptionEvents: {
    call: (scene) =>
      scene.client.listSubscriptionEvents({
        path: ofApp(scene),
        query: { startsequence: scene.event.sequence, endsequence: scene.event.sequence, fetchreferences: true },
      }),
    shows: ({ event }) => [{ id: event.id, message: { state: 'confirmed' } }],
    parameters: ofApp,
  },
};

import { createHttpWebhook } from '../adapters/webhook/http.js';
import { endpointOf } from '../adapters/webhook/target.js';
import type { Webhook } from '../ports/webhook.js';
import type { NodeConfig } from './config.js';

/** Where the node itself listens; known only when it does, where the system chooses the port. */
export interface OwnEndpoints {
  readonly apiPort: number;
  readonly peer: string;
}

/** The webhooks of a node, which may call neither the node itself nor what it stands on (assurance S18). */
export function openWebhook({ host, chain, store, webhooks, auth }: NodeConfig, own: () => OwnEndpoints): Webhook {
  const { allow = [], closedPorts = [] } = webhooks;
  return createHttpWebhook({
    allow,
    host,
    hasCredentials: auth !== undefined,
    closed: () => {
      const { apiPort, peer } = own();
      const services = [chain.url, store.apiUrl, store.gatewayUrl, peer].map(endpointOf);
      return [...services, ...[apiPort, ...closedPorts].map((port) => ({ host, port }))];
    },
  });
}

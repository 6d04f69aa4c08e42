import { createHttpWebhook } from '../../adapters/webhook/http.js';
import { endpointOf } from '../../adapters/webhook/target.js';
import type { Log } from '../../ports/log.js';
import type { Webhook } from '../../ports/webhook.js';
import type { NodeConfig } from '../config.js';
import { openLaterParties } from '../network/later-parties.js';

/** The node's own addresses. If the system chooses the port, they are known only once the node listens. */
export interface OwnEndpoints {
  readonly apiPort: number;
  readonly peer: string;
}

/**
 * Creates the webhooks of a node, which may call neither the node itself nor its services (docs/architecture.md §12.4).
 */
export function openWebhook(config: NodeConfig, own: () => OwnEndpoints, log: Log): Webhook {
  const { host, chain, store, webhooks, auth } = config;
  const later = openLaterParties(config, log);
  const { allow = [], closedPorts = [] } = webhooks;
  return createHttpWebhook({
    allow,
    host,
    hasCredentials: auth !== undefined,
    closed: () => {
      const { apiPort, peer } = own();
      const services = [chain.url, store.apiUrl, store.gatewayUrl, peer].map(endpointOf);
      const ports = [apiPort, ...closedPorts, ...later().flatMap((party) => party.ports)];
      return [...services, ...ports.map((port) => ({ host, port }))];
    },
  });
}

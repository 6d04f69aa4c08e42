import type { Endpoint } from '../../bench/endpoint.js';
import type { PartyNode } from '../requests/target.js';

/** A party as a node under test: messages name its organisation, which may be called otherwise than the party. */
export function endpointOf({ name, url, organization }: PartyNode): Endpoint {
  return { name, url, identity: organization };
}

import type { Endpoint } from '../../bench/endpoint.js';
import type { PartyNode } from '../requests/target.js';

/** A party as an endpoint of a benchmark. Messages name its organisation, whose name may differ from the party's. */
export function endpointOf({ name, url, organization }: PartyNode): Endpoint {
  return { name, url, identity: organization };
}

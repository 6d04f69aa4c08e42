import { ServiceError } from '../wire/error.js';

/**
 * Refuses the network's contract as the target of a call that a user asks for. It takes whoever signs for the member
 * itself, so a call of it with the organisation's key could move the party's node or pin in the party's name.
 *
 * @throws ServiceError network_contract
 */
export function refuseNetworkContract(network: string, address: string | null): void {
  if (address?.toLowerCase() === network) throw new ServiceError('network_contract', { address });
}

import { ServiceError } from '../../../wire/errors/error.js';

/**
 * Refuses users' calls of the network's contract. It trusts the organisation's key, so such a call could change the
 * party's node or pin in the party's name.
 *
 * @throws ServiceError network_contract
 */
export function refuseNetworkContract(network: string, address: string | null): void {
  if (address?.toLowerCase() === network) throw new ServiceError('network_contract', { address });
}

import { shownFilters } from '../../domain/contracts/listener.js';
import type { BlockchainEventRow, ListenerRow } from '../../ports/tables/contract-tables.js';
import type { BlockchainEvent } from '../../wire/contracts/blockchain-event.js';
import { type ContractListener, ListenerOptions } from '../../wire/contracts/contract.js';
import { assertConforms } from '../../wire/check.js';
import { chainHash } from '../../wire/chain/chain-hash.js';
import { valueOf } from '../../wire/json/json.js';

/** The API's record of a listener (docs/api.md §20). It repeats the fields of the first filter, as FireFly's does. */
export function listenerRecord(row: ListenerRow): ContractListener {
  const { id, namespace, name, backendId, created, updated, signature, topic, state } = row;
  const filters = shownFilters(row.filters);
  const [first] = filters;
  const options = valueOf(row.options);
  assertConforms(ListenerOptions, options, 'the options');
  return {
    id,
    ...(first?.interface !== undefined && { interface: first.interface }),
    namespace,
    name,
    backendId,
    ...(first?.location !== undefined && { location: first.location }),
    created,
    ...(updated !== null && { updated }),
    ...(first?.event !== undefined && { event: first.event }),
    signature,
    topic,
    state,
    options,
    filters,
  };
}

/** The API's record of a blockchain event (docs/api.md §20). */
export function blockchainEventRecord(row: BlockchainEventRow): BlockchainEvent {
  const { id, source, namespace, name, listener, protocolId, output, info, timestamp } = row;
  const { txtype, txid, blockchainId } = row;
  return {
    id,
    source,
    namespace,
    name,
    ...(listener !== null && { listener }),
    protocolId,
    output,
    info,
    timestamp,
    tx: {
      ...(txtype !== null && { type: txtype }),
      ...(txid !== null && { id: txid }),
      ...(blockchainId !== null && { blockchainId: chainHash(blockchainId) }),
    },
  };
}

import { protocolIdOf } from '../../../domain/protocol-id.js';
import type { ContractLog } from '../../../ports/blockchain.js';
import type { NewRow, TransactionType } from '../../../ports/tables/tables.js';
import { chainHash } from '../../../wire/chain/chain-hash.js';
import { textOf } from '../../../wire/json/json.js';
import type { JsonText } from '../../../wire/scalar.js';
import { newEvent } from '../../state/events/event-row.js';

/** A contract event as one listener or pool records it. */
export interface ContractEvent {
  readonly namespace: string;
  readonly id: string;
  readonly eventId: string;
  /** `ethereum`, or the name of a token connector. */
  readonly source: string;
  readonly name: string;
  /** Example: `Changed(uint256,address)`. */
  readonly signature: string;
  readonly log: Pick<ContractLog, 'address' | 'position' | 'time' | 'transactionHash' | 'blockHash' | 'chainId'>;
  /** The place of a token event that is one of several in its log (docs/protocol.md §13.2); by default the log's. */
  readonly protocolId?: string | undefined;
  /** JSON object of the event's arguments by name. */
  readonly output: JsonText;
  readonly undecodable?: string | undefined;
  readonly listener: string | null;
  /** The id under which clients outside this node know the listener or pool. */
  readonly backendId: string;
  /** Id of the listener or pool; unique together with `protocolId`. */
  readonly origin: string;
  readonly topic: string;
  /** The transaction of this network that caused the event, if known. */
  readonly tx?: { readonly type: TransactionType; readonly id: string } | undefined;
  readonly created: string;
}

/** A blockchain event and the event of docs/api.md §13.2 that announces it. */
export interface ContractEventRows {
  readonly record: NewRow<'blockchainevents'>;
  readonly event: NewRow<'events'>;
}

/**
 * Builds the record of a contract event and its `blockchain_event_received` (docs/api.md §20). The caller must ensure
 * that neither exists yet.
 */
export function newBlockchainEvent(contractEvent: ContractEvent): ContractEventRows {
  const { namespace, id, source, name, log, output, listener, origin, topic, tx, created } = contractEvent;
  const record = {
    namespace,
    id,
    source,
    name,
    listener,
    origin,
    protocolId: contractEvent.protocolId ?? protocolIdOf(log.position),
    output,
    info: infoOf(contractEvent),
    timestamp: log.time,
    txtype: tx?.type ?? null,
    txid: tx?.id ?? null,
    blockchainId: log.transactionHash,
  };
  const subject = { namespace, id: contractEvent.eventId, type: 'blockchain_event_received', reference: id } as const;
  const ofTransaction = { tx: record.txid, txtype: record.txtype };
  const event = newEvent({ ...subject, ...ofTransaction, topic, chainName: name, listener, created });
  return { record, event };
}

/** The event's place on the chain in the format of FireFly's connector: numbers as strings, hashes with `0x`. */
function infoOf({ log, signature, listener, backendId, undecodable }: ContractEvent): JsonText {
  const { block, transactionIndex, logIndex } = log.position;
  return textOf({
    address: log.address,
    blockHash: log.blockHash === undefined ? undefined : chainHash(log.blockHash),
    blockNumber: String(block),
    chainId: log.chainId === undefined ? undefined : String(log.chainId),
    listenerId: listener === null ? undefined : backendId,
    logIndex: String(logIndex),
    signature,
    subId: backendId,
    timestamp: log.time,
    transactionHash: chainHash(log.transactionHash),
    transactionIndex: String(transactionIndex),
    undecodable,
  });
}

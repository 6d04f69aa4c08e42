import { protocolIdOf } from '../../domain/protocol-id.js';
import type { ContractLog } from '../../ports/blockchain.js';
import type { NewRow, TransactionType } from '../../ports/tables.js';
import { chainHash } from '../../wire/chain-hash.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { newEvent } from '../rows.js';

/** Something that a contract said, as somebody here hears it. */
export interface Heard {
  readonly namespace: string;
  /** Id of the record, and of its event. */
  readonly id: string;
  readonly eventId: string;
  /** The reader of the event: `ethereum`, or a token connector. */
  readonly source: string;
  /** Name of the contract's event. */
  readonly name: string;
  /** `Changed(uint256,address)`. */
  readonly signature: string;
  readonly log: Pick<ContractLog, 'address' | 'position' | 'time' | 'transactionHash' | 'blockHash' | 'chainId'>;
  /** The place of a token event that is one of several in its log (docs/protocol.md §13.2); else that of the log. */
  readonly protocolId?: string | undefined;
  /** The arguments of the log, by name: text of an object. */
  readonly output: JsonText;
  /** Why the output lacks what the log says. */
  readonly undecodable?: string | undefined;
  readonly listener: string | null;
  /** By what the listener or pool is known beyond this node's own records. */
  readonly backendId: string;
  /** Id of the listener or pool that it is here for; with the protocolId it is there once. */
  readonly origin: string;
  readonly topic: string;
  /** The transaction that it belongs to, where this node knows that. */
  readonly tx?: { readonly type: TransactionType; readonly id: string } | undefined;
  readonly created: string;
}

/** The two rows for something that a contract said: the record, and the event of docs/api.md §13.2 that tells of it. */
export interface HeardRows {
  readonly record: NewRow<'blockchainevents'>;
  readonly event: NewRow<'events'>;
}

/**
 * The record of something that a contract said, and its event `blockchain_event_received` (docs/api.md §20). Whoever
 * stores them has made sure that there are none of this origin and protocolId.
 */
export function newBlockchainEvent(heard: Heard): HeardRows {
  const { namespace, id, source, name, log, output, listener, origin, topic, tx, created } = heard;
  const record = {
    namespace,
    id,
    source,
    name,
    listener,
    origin,
    protocolId: heard.protocolId ?? protocolIdOf(log.position),
    output,
    info: infoOf(heard),
    timestamp: log.time,
    txtype: tx?.type ?? null,
    txid: tx?.id ?? null,
    blockchainId: log.transactionHash,
  };
  const subject = { namespace, id: heard.eventId, type: 'blockchain_event_received', reference: id } as const;
  const ofTransaction = { tx: record.txid, txtype: record.txtype };
  const event = newEvent({ ...subject, ...ofTransaction, topic, chainName: name, listener, created });
  return { record, event };
}

/** The event's place in the chain, in the format of FireFly's connector: numbers are texts, hashes begin with `0x`. */
function infoOf({ log, signature, listener, backendId, undecodable }: Heard): JsonText {
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

import { protocolIdOf } from '../../domain/protocol-id.js';
import type { ContractLog } from '../../ports/blockchain.js';
import type { NewRow, TransactionType } from '../../ports/tables.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { newEvent } from '../rows.js';

/** Something that a contract said, as somebody here hears it. */
export interface Heard {
  readonly namespace: string;
  /** Of the record, and of the event that tells of it. */
  readonly id: string;
  readonly eventId: string;
  /** Who read it: `ethereum`, or a token connector. */
  readonly source: string;
  /** Of the contract's event. */
  readonly name: string;
  /** `Changed(uint256,address)`. */
  readonly signature: string;
  readonly log: Pick<ContractLog, 'address' | 'position' | 'time' | 'transactionHash'>;
  /** S §15.6 of a token event that is one of several in its log; else that of the log. */
  readonly protocolId?: string | undefined;
  /** What the log says, by name: text of an object. */
  readonly output: JsonText;
  /** Why the output lacks what the log says. */
  readonly undecodable?: string | undefined;
  readonly listener: string | null;
  /** Id of the listener or pool that it is here for; with the protocolId it is there once. */
  readonly origin: string;
  readonly topic: string;
  /** The transaction that it belongs to, where this node knows that. */
  readonly tx?: { readonly type: TransactionType; readonly id: string } | undefined;
  readonly created: string;
}

/** The two rows for something that a contract said: the record, and the event of S §10.2 that tells of it. */
export interface HeardRows {
  readonly record: NewRow<'blockchainevents'>;
  readonly event: NewRow<'events'>;
}

/**
 * The record of something that a contract said, and its event `blockchain_event_received` (S §16). Whoever stores them
 * has made sure that there are none of this origin and protocolId.
 */
export function newBlockchainEvent(heard: Heard): HeardRows {
  const { namespace, id, source, name, signature, log, output, listener, origin, topic, tx, created } = heard;
  const { block: blockNumber, transactionIndex, logIndex } = log.position;
  const { address, transactionHash } = log;
  const record = {
    namespace,
    id,
    source,
    name,
    listener,
    origin,
    protocolId: heard.protocolId ?? protocolIdOf(log.position),
    output,
    info: textOf({
      address,
      blockNumber,
      transactionHash,
      transactionIndex,
      logIndex,
      signature,
      undecodable: heard.undecodable,
    }),
    timestamp: log.time,
    txtype: tx?.type ?? null,
    txid: tx?.id ?? null,
    blockchainId: transactionHash,
  };
  const subject = { namespace, id: heard.eventId, type: 'blockchain_event_received', reference: id } as const;
  const ofTransaction = { tx: record.txid, txtype: record.txtype };
  const event = newEvent({ ...subject, ...ofTransaction, topic, chainName: name, listener, created });
  return { record, event };
}

import assert from 'node:assert/strict';
import {
  type BlobOffer,
  type DataExchange,
  type Peer,
  PeerError,
  type PeerReceiver,
} from '../../ports/data-exchange.js';
import { exactly } from './exact.js';
import { createLine, type Line } from './line.js';
import { maxEnvelopeBytes } from '../../domain/network/limits.js';

export interface MemoryExchange {
  /**
   * Connects the node with this key and endpoint. A later connection with the same endpoint replaces an earlier one, as
   * after a restart.
   */
  connect(own: Peer): DataExchange;
}

/** A listening node as its peers see it. */
interface Listening {
  readonly publicKeyHash: string;
  readonly receiver: PeerReceiver;
  readonly isAdmitted: (publicKeyHash: string) => boolean;
  readonly lines: Set<Line>;
}

/** Creates a data exchange between nodes in one process. Answers are passed on directly and take no time. */
export function createMemoryExchange(): MemoryExchange {
  const addresses = new Map<string, Listening>();
  return { connect: (own) => createEnd(own, addresses) };
}

function createEnd(own: Peer, addresses: Map<string, Listening>): DataExchange {
  const lines = new Set<Line>();
  let admitted: ReadonlySet<string> = new Set();
  let listening: Listening | undefined;
  let isClosed = false;

  /** Calls a peer over a line that either of the two may cut. */
  async function callPeer<Answer>(
    peer: Peer,
    signal: AbortSignal | undefined,
    call: (receiver: PeerReceiver, line: Line) => Promise<Answer>,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    if (isClosed) throw new PeerError('This end of the data exchange is closed.');
    const target = addresses.get(peer.endpoint);
    if (target === undefined) throw new PeerError(`No node listens at ${peer.endpoint}.`);
    if (target.publicKeyHash !== peer.publicKeyHash) throw new PeerError(`${peer.endpoint} has another key.`);
    if (!target.isAdmitted(own.publicKeyHash)) throw new PeerError(`${peer.endpoint} does not admit this node.`);
    const line = createLine({ from: own.publicKeyHash, to: peer.publicKeyHash, signal });
    for (const ends of [lines, target.lines]) ends.add(line);
    try {
      return await line.unlessCut(call(target.receiver, line));
    } finally {
      for (const ends of [lines, target.lines]) ends.delete(line);
      line.end();
    }
  }

  return {
    async send(peer, envelope, signal) {
      const sizeBytes = Buffer.byteLength(envelope);
      if (sizeBytes > maxEnvelopeBytes) return { status: 'refused', reason: `${sizeBytes} bytes are too many.` };
      return callPeer(peer, signal, (receiver) => received(receiver.receiveEnvelope(own.publicKeyHash, envelope)));
    },

    sendBlob: (peer, offer, read, signal) =>
      callPeer(peer, signal, async (receiver, line) => {
        const answer = await received(receiver.offerBlob(own.publicKeyHash, offer));
        if (answer.status !== 'wanted') return answer;
        return transfer({ from: own.publicKeyHash, receiver, line, offer, start: answer.start, read });
      }),

    request: (peer, hash, signal) =>
      callPeer(peer, signal, (receiver) => received(receiver.receiveRequest(own.publicKeyHash, hash))),

    async listen(receiver) {
      assert(!isClosed, 'a closed end of the data exchange does not listen');
      assert(listening === undefined, 'one receiver at a time');
      const { publicKeyHash } = own;
      listening = { publicKeyHash, receiver, isAdmitted: (other) => admitted.has(other), lines };
      addresses.set(own.endpoint, listening);
    },

    admit(publicKeyHashes) {
      admitted = new Set(publicKeyHashes);
      for (const line of lines) {
        const other = line.from === own.publicKeyHash ? line.to : line.from;
        if (!admitted.has(other)) line.cut('The peer is no longer admitted.');
      }
    },

    async close() {
      isClosed = true;
      if (addresses.get(own.endpoint) === listening) addresses.delete(own.endpoint);
      for (const line of lines) line.cut('This end of the data exchange was closed.');
    },
  };
}

interface Transfer {
  readonly from: string;
  readonly receiver: PeerReceiver;
  readonly line: Line;
  readonly offer: BlobOffer;
  readonly start: number;
  readonly read: (start: number) => AsyncIterable<Uint8Array>;
}

async function transfer({ from, receiver, line, offer, start, read }: Transfer) {
  const leftBytes = offer.sizeBytes - start;
  if (!Number.isInteger(start) || start < 0 || leftBytes < 0) {
    throw new PeerError(`The peer asks for byte ${start} of ${offer.sizeBytes}.`);
  }
  let failure: { readonly error: unknown } | undefined;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* exactly(read(start), leftBytes);
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  try {
    return await received(receiver.receiveBlob(from, offer, start, line.through(watched())));
  } catch (error) {
    // A failure to read the sender's own data is not the peer's error.
    throw failure === undefined ? error : failure.error;
  }
}

/** Reports a failing receiver as a peer that cannot be reached. */
async function received<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (cause) {
    throw new PeerError('The peer failed to receive it.', { cause });
  }
}

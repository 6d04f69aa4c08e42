import { createMemoryExchange, type MemoryExchange } from '../../src/adapters/data-exchange/memory.js';
import { type Peer, PeerError } from '../../src/ports/data-exchange.js';

/** A delivered envelope. */
export interface Handed {
  readonly from: Peer;
  readonly to: Peer;
  readonly envelope: string;
}

/** A data exchange whose connections can be cut, and that records envelopes. */
export interface FaultyExchange extends MemoryExchange {
  /** Cuts the connection from one node to another, both named by organisation. */
  cut(from: string, to: string): void;
  mend(from: string, to: string): void;
  /** Cuts the connection for blobs only. */
  cutBlobs(from: string, to: string): void;
  mendBlobs(from: string, to: string): void;
  /** Cuts the connection for envelopes only. */
  cutEnvelopes(from: string, to: string): void;
  mendEnvelopes(from: string, to: string): void;
  /** Breaks off the next blob after this many bytes. */
  breakBlobAfter(bytes: number): void;
  /** Changes one byte of the next blob. */
  spoilBlob(): void;
  /** Starts or stops losing the answers to blobs. */
  loseBlobAnswers(isLosing: boolean): void;
  /** Returns the number of blob bytes sent. */
  blobBytes(): number;
  /** The envelopes delivered so far. */
  readonly handed: readonly Handed[];
}

export function createFaultyExchange(): FaultyExchange {
  const exchange = createMemoryExchange();
  const lines = new Set<string>();
  const blobLines = new Set<string>();
  const envelopeLines = new Set<string>();
  const handed: Handed[] = [];
  let breaksAfter: number | undefined;
  let isSpoiling = false;
  let isLosing = false;
  let blobBytes = 0;
  const lineOf = (from: string, to: string) => `${from} -> ${to}`;

  function assertWhole(from: Peer, to: Peer): void {
    if (lines.has(lineOf(from.endpoint, to.endpoint))) throw new PeerError('The line is cut.');
  }

  async function* faulty(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      const passing = chunk.subarray(0, breaksAfter);
      if (breaksAfter !== undefined) breaksAfter -= passing.length;
      blobBytes += passing.length;
      if (isSpoiling && passing.length > 0) yield passing.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
      else yield passing;
      if (passing.length > 0) isSpoiling = false;
      if (breaksAfter !== 0) continue;
      breaksAfter = undefined;
      throw new PeerError('The line broke.');
    }
  }

  return {
    cutBlobs: (from, to) => void blobLines.add(lineOf(`https://${from}`, `https://${to}`)),
    cutEnvelopes: (from, to) => void envelopeLines.add(lineOf(`https://${from}`, `https://${to}`)),
    mendEnvelopes: (from, to) => void envelopeLines.delete(lineOf(`https://${from}`, `https://${to}`)),
    mendBlobs: (from, to) => void blobLines.delete(lineOf(`https://${from}`, `https://${to}`)),
    breakBlobAfter: (bytes) => void (breaksAfter = bytes),
    spoilBlob: () => void (isSpoiling = true),
    loseBlobAnswers: (isLosingNow) => void (isLosing = isLosingNow),
    blobBytes: () => blobBytes,
    handed,
    cut: (from, to) => void lines.add(lineOf(`https://${from}`, `https://${to}`)),
    mend: (from, to) => void lines.delete(lineOf(`https://${from}`, `https://${to}`)),
    connect(own) {
      const end = exchange.connect(own);
      return {
        ...end,
        async send(peer, envelope, signal) {
          assertWhole(own, peer);
          if (envelopeLines.has(lineOf(own.endpoint, peer.endpoint)))
            throw new PeerError('The line is cut for envelopes.');
          handed.push({ from: own, to: peer, envelope });
          return end.send(peer, envelope, signal);
        },
        async sendBlob(peer, offer, read, signal) {
          assertWhole(own, peer);
          if (blobLines.has(lineOf(own.endpoint, peer.endpoint))) throw new PeerError('The line is cut for blobs.');
          const answer = await end.sendBlob(peer, offer, (start) => faulty(read(start)), signal);
          if (isLosing) throw new PeerError('The answer was lost.');
          return answer;
        },
      };
    },
  };
}

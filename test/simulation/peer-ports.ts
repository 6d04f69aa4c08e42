import { type DataExchange, PeerError, type PeerReceiver } from '../../src/ports/data-exchange.js';
import type { Files } from '../../src/ports/files.js';
import type { CallOptions, Life, Simulator } from './life.js';
import type { Reachable } from './ports.js';
import { delayOf } from './time.js';

export interface ExchangeParts extends Reachable {
  /** Opens a connection to the exchange with this node's key and address. */
  readonly connect: () => DataExchange;
  /** Called with every envelope that leaves the node. */
  readonly onEnvelope: (envelope: string) => void;
}

/** The data exchange of one life. */
export function simulateExchange(simulator: Simulator, life: Life, parts: ExchangeParts): DataExchange {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  // Two connections: a sent request arrives even if its sender has died, while a dead node receives nothing.
  const sending = parts.connect();
  const listening = parts.connect();
  life.onEnd(() => void listening.close());
  const chance = (rate: number): boolean => rate > 0 && random.fraction() < rate;
  const unreachable = (): PeerError => new PeerError('The peer does not answer (a simulated fault).');
  const journey = (): CallOptions => {
    const mean = chance(faults().peerSlow) ? 100 * faults().delayMs.peer : faults().delayMs.peer;
    const legs = {
      requestMs: delayOf(simulator, mean),
      replyMs: delayOf(simulator, mean),
      isRemote: true,
    };
    if (parts.isAway() || chance(faults().peerRequestLost)) {
      return { ...legs, lost: { leg: 'request', error: unreachable() } };
    }
    if (!chance(faults().peerReplyLost)) return legs;
    sometimes('acknowledgement of a peer lost');
    return { ...legs, lost: { leg: 'reply', error: unreachable() } };
  };

  /** Receivers answer by the rules; answers of dead nodes are dropped. */
  function alive(receiver: PeerReceiver): PeerReceiver {
    return {
      receiveEnvelope: (sender, envelope) => (life.isDead ? never : receiver.receiveEnvelope(sender, envelope)),
      offerBlob: (sender, offer) => (life.isDead ? never : receiver.offerBlob(sender, offer)),
      receiveBlob: (sender, offer, start, bytes) =>
        life.isDead ? never : receiver.receiveBlob(sender, offer, start, bytes),
      receiveRequest: (sender, hash) => (life.isDead ? never : receiver.receiveRequest(sender, hash)),
    };
  }

  return {
    async send(peer, envelope, signal) {
      parts.onEnvelope(envelope);
      const answer = await life.call('send envelope', () => sending.send(peer, envelope, signal), journey());
      if (!chance(faults().peerRepeated)) return answer;
      sometimes('envelope delivered twice');
      return life.call('send envelope again', () => sending.send(peer, envelope, signal), journey());
    },
    sendBlob: (peer, offer, read, signal) => {
      const cutAfter = chance(faults().peerCut) ? random.integer(offer.sizeBytes + 1) : undefined;
      const living = (start: number) => untilDeath(life, read(start), unreachable);
      const bytes = cutAfter === undefined ? living : (start: number) => cut(living(start), cutAfter, unreachable);
      if (cutAfter !== undefined) sometimes('blob cut on its way');
      return life.call('send blob', () => sending.sendBlob(peer, offer, bytes, signal), journey());
    },
    request: (peer, hash, signal) => {
      sometimes('batch requested again');
      return life.call('request batch', () => sending.request(peer, hash, signal), journey());
    },
    listen: (receiver) => listening.listen(alive(receiver)),
    admit: (publicKeyHashes) => listening.admit(publicKeyHashes),
    close: () =>
      life.call('close exchange', async () => {
        await Promise.all([sending.close(), listening.close()]);
      }),
  };
}

const never = new Promise<never>(() => undefined);

/** Yields the sender's bytes until its death, which breaks the stream as the system or a timeout would. */
async function* untilDeath(
  life: Life,
  bytes: AsyncIterable<Uint8Array>,
  fault: () => Error,
): AsyncGenerator<Uint8Array> {
  if (life.isDead) throw fault();
  const died = new Promise<never>((_, reject) => life.onEnd(() => reject(fault())));
  died.catch(() => undefined);
  const chunks = bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([chunks.next(), died]);
    if (next.done === true) return;
    yield next.value;
  }
}

/** The first bytes, followed by an error. */
async function* cut(
  bytes: AsyncIterable<Uint8Array>,
  afterBytes: number,
  fault: () => Error,
): AsyncGenerator<Uint8Array> {
  let leftBytes = afterBytes;
  for await (const chunk of bytes) {
    if (chunk.length > leftBytes) {
      if (leftBytes > 0) yield chunk.slice(0, leftBytes);
      throw fault();
    }
    leftBytes -= chunk.length;
    yield chunk;
  }
}

/** The files of one life, on a medium that outlives it. */
export function simulateFiles(simulator: Simulator, life: Life, inner: Files): Files {
  const { scheduler, faults, sometimes } = simulator;
  const { random } = scheduler;
  const delay = (): CallOptions => ({ requestMs: delayOf(simulator, faults().delayMs.database) });

  /** Changes a file, unless the simulated disk is full. */
  function change<R>(what: string, perform: () => Promise<R>): Promise<R> {
    const isRefused = faults().diskFull > 0 && random.fraction() < faults().diskFull;
    if (!isRefused) return life.call(what, perform, delay());
    sometimes('disk full');
    return life.call(what, () => Promise.reject(new Error('The disk is full (a simulated fault).')), delay());
  }

  return {
    async *read(name, range) {
      // Chunk by chunk, so that a death or a removal can occur in between.
      const chunks = inner.read(name, range)[Symbol.asyncIterator]();
      for (;;) {
        const next = await life.call('read file', () => chunks.next(), delay());
        if (next.done === true) return;
        yield next.value;
      }
    },
    size: (name) => life.call('size of file', () => inner.size(name), delay()),
    async write(name, bytes) {
      // Written chunk by chunk, so that a death leaves a partial file.
      await change('write file', () => inner.write(name, []));
      for await (const chunk of bytes) await change('write chunk', () => inner.append(name, chunk));
    },
    append: (name, bytes) => change('append', () => inner.append(name, bytes)),
    truncate: (name, sizeBytes) => change('truncate', () => inner.truncate(name, sizeBytes)),
    sync: (name) => change('sync', () => inner.sync(name)),
    syncContent: (name) => change('sync', () => inner.syncContent(name)),
    rename: (from, to) => change('rename', () => inner.rename(from, to)),
    remove: (name) => life.call('remove file', () => inner.remove(name), delay()),
    list: (directory) => life.call('list files', () => inner.list(directory), delay()),
    freeBytes: () => inner.freeBytes(),
    close: () => Promise.resolve(),
  };
}

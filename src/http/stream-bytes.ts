import type { Readable } from 'node:stream';

/** The most that gathers while nobody asks for it; then the stream is paused. */
const maxGatheredBytes = 1_048_576;
/** What comes in smaller pieces is joined: each piece costs its reader a turn, and a write. */
const minPieceBytes = 32_768;

/**
 * The bytes of a stream as they come, as large as they have gathered. The iterator that a stream brings joins at each
 * step all that it holds and takes turns with its source, which cost more than all the rest of an upload (measured: 5.6
 * against 2.0 s of CPU a GiB). Who stops reading leaves the stream paused and whole.
 *
 * @param untilMore bounds the wait for more; what it rejects with is thrown
 * @throws the error of the stream, behind what had come before it; Error when it was closed before its end
 */
export async function* streamBytes(
  stream: Readable,
  untilMore: (more: Promise<void>) => Promise<void> = (more) => more,
): AsyncGenerator<Uint8Array> {
  const intake = openIntake(stream);
  try {
    while (!intake.isOver()) {
      const pieces = intake.take();
      if (pieces.length === 0) await untilMore(intake.more());
      else yield* joinedIfSmall(pieces);
    }
  } finally {
    intake.close();
  }
}

/** What has come from a stream and was not taken yet. */
interface Intake {
  take(): Uint8Array[];
  /** Whether everything was taken and the stream has ended. @throws why it ended, if not at its end */
  isOver(): boolean;
  more(): Promise<void>;
  close(): void;
}

function openIntake(stream: Readable): Intake {
  let pieces: Uint8Array[] = [];
  let gatheredBytes = 0;
  let hasEnded = stream.readableEnded;
  let failure: Error | undefined = stream.errored ?? undefined;
  let wake: (() => void) | undefined;
  const happened = (): void => wake?.();
  const listeners = {
    data(piece: unknown): void {
      if (!(piece instanceof Uint8Array)) throw new TypeError('a stream of bytes gives bytes');
      pieces.push(piece);
      gatheredBytes += piece.length;
      if (gatheredBytes >= maxGatheredBytes) stream.pause();
      happened();
    },
    end(): void {
      hasEnded = true;
      happened();
    },
    error(error: Error): void {
      failure ??= error;
      happened();
    },
    close(): void {
      if (!hasEnded) failure ??= new Error('The stream was closed before its end.');
      happened();
    },
  };
  if (stream.destroyed) listeners.close();
  for (const [name, listener] of Object.entries(listeners)) stream.on(name, listener);
  // One that was left paused would stay so.
  stream.resume();

  return {
    take() {
      const taken = pieces;
      pieces = [];
      gatheredBytes = 0;
      if (taken.length > 0) stream.resume();
      return taken;
    },
    isOver() {
      if (pieces.length > 0) return false;
      if (failure !== undefined) throw failure;
      return hasEnded;
    },
    more: () =>
      new Promise((resolve) => {
        wake = resolve;
        // It may have come between the look and the wait.
        if (pieces.length > 0 || hasEnded || failure !== undefined) resolve();
      }),
    close() {
      for (const [name, listener] of Object.entries(listeners)) stream.off(name, listener);
      stream.pause();
    },
  };
}

function joinedIfSmall(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return pieces.length > 1 && sizeBytes < pieces.length * minPieceBytes ? [Buffer.concat(pieces, sizeBytes)] : pieces;
}

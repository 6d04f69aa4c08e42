import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { streamBytes } from '../../../../src/http/bodies/stream-bytes.js';

async function allOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Waits some turns of the event loop, so that a stream can do all pending work. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('the bytes of a stream', () => {
  it('are complete and in order, however they were split', async () => {
    const pieces = Array.from({ length: 500 }, (_, i) => Buffer.alloc((i * 7919) % 70_000, i));
    // Compared as a whole: byte by byte an assertion takes minutes.
    const read = await allOf(streamBytes(Readable.from(pieces)));
    expect(read.equals(Buffer.concat(pieces))).toBe(true);
  });

  it('end at once if there are none, also if the stream has ended before', async () => {
    const ended = new PassThrough();
    ended.end();
    ended.resume();
    await turns(5);
    expect(await allOf(streamBytes(ended))).toHaveLength(0);
    expect(await allOf(streamBytes(Readable.from([])))).toHaveLength(0);
  });

  it('are returned before the error that followed them', async () => {
    const stream = new PassThrough();
    stream.write('before');
    const bytes = streamBytes(stream);
    expect((await bytes.next()).value).toEqual(Buffer.from('before'));
    stream.write(' and after');
    await turns(2);
    stream.destroy(new Error('broken'));
    await turns(2);
    expect((await bytes.next()).value).toEqual(Buffer.from(' and after'));
    await expect(bytes.next()).rejects.toThrow('broken');
  });

  it.each([
    ['closed before its end', undefined, 'closed before its end'],
    ['broken', new Error('broken'), 'broken'],
  ])('of a stream that is %s already are an error', async (_, error, message) => {
    const stream = new PassThrough();
    stream.on('error', () => undefined);
    stream.destroy(error);
    await turns(2);
    await expect(allOf(streamBytes(stream))).rejects.toThrow(message);
  });

  it('are buffered up to a limit without a reader, and no further', async () => {
    let given = 0;
    const stream = Readable.from(
      (function* () {
        for (;;) {
          given += 1;
          yield Buffer.alloc(65_536);
        }
      })(),
    );
    const bytes = streamBytes(stream);
    await bytes.next();
    await turns(500);
    expect(given * 65_536).toBeLessThan(4 * 1_048_576);
    await bytes.return(undefined);
  });

  it('are not waited for after the wait was aborted', async () => {
    const stream = new PassThrough();
    const bytes = streamBytes(stream, () => Promise.reject(new Error('too late')));
    await expect(bytes.next()).rejects.toThrow('too late');
  });

  it('that are unread stay in the stream, which is paused and complete', async () => {
    const stream = new PassThrough();
    stream.write('first');
    for await (const piece of streamBytes(stream)) {
      expect(piece).toEqual(Buffer.from('first'));
      break;
    }
    stream.write('second');
    stream.end();
    await turns(3);
    expect(stream.destroyed).toBe(false);
    expect(await allOf(streamBytes(stream))).toEqual(Buffer.from('second'));
  });
});

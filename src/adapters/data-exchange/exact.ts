import { PeerError } from '../../ports/data-exchange.js';

/**
 * Yields the same bytes, which must be exactly as many as announced.
 *
 * @throws PeerError after the last byte if there are fewer, before the first excess byte if there are more
 */
export async function* exactly(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let passedBytes = 0;
  for await (const chunk of bytes) {
    passedBytes += chunk.byteLength;
    if (passedBytes > sizeBytes) throw new PeerError(`More than the announced ${sizeBytes} bytes arrived.`);
    yield chunk;
  }
  if (passedBytes < sizeBytes) throw new PeerError(`Only ${passedBytes} of ${sizeBytes} bytes arrived.`);
}

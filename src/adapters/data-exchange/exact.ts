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
    if (passedBytes > sizeBytes) throw new PeerError(`More bytes came than the ${sizeBytes} that were announced.`);
    yield chunk;
  }
  if (passedBytes < sizeBytes) throw new PeerError(`${passedBytes} of ${sizeBytes} bytes came, then nothing more.`);
}

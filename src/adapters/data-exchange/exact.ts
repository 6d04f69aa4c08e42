import { PeerError } from '../../ports/data-exchange.js';

/**
 * The same bytes, if there are exactly as many as were announced.
 *
 * @throws PeerError after the last byte when there are fewer, before the first that is too many
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

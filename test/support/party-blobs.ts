import { createHash } from 'node:crypto';
import { createSeededRandom } from '../../src/adapters/random/seeded.js';
import type { DataRow } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import type { Data } from '../../src/wire/data/data.js';
import type { Party, Pipelines } from './pipelines.js';

/** `carol` exists only in networks of three. */
export function partiesOf(network: Pipelines) {
  return {
    alice: network.party('alice'),
    bob: network.party('bob'),
    get carol() {
      return network.party('carol');
    },
  };
}

/** Returns pseudo-random bytes, equal in every run. */
export function bytesOf(sizeBytes: number, seed = 1): Buffer {
  const random = createSeededRandom(seed);
  return Buffer.from(Array.from({ length: sizeBytes }, () => random.integer(256)));
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.length; position += 65_536) {
    yield bytes.subarray(position, position + 65_536);
  }
}

/** Uploads a file at a party, as its API does. */
export async function upload(party: Party, bytes: Uint8Array, name = 'file.bin'): Promise<Data> {
  const { incoming, uploader } = party.pipeline();
  const staged = await incoming.stage(inChunks(bytes));
  const fields = new Map([['autometa', 'true']]);
  return uploader.acceptUpload('default', { fields, filename: name, mimetype: 'text/plain', staged });
}

/** Returns a blob stored at a party. */
export async function blobAt(party: Party, hash: string): Promise<Buffer | undefined> {
  const blob = await party.pipeline().blobs.find(hash);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of party.pipeline().blobs.read(blob)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the first item with this id at a party. */
export async function itemAt(party: Party, id: string): Promise<DataRow | undefined> {
  return party.database().first('data', { namespace: every, id });
}

/** Returns the state of a message at a party; undefined if unknown. */
export async function stateAt(party: Party, id: string): Promise<string | undefined> {
  return (await party.database().first('messages', { namespace: every, id }))?.state;
}

/** Returns the ids of messages confirmed at a party, in the order of the events. */
export async function told(party: Party): Promise<string[]> {
  const events = await party.database().rows('events', { namespace: 'default' }, { limit: 100 });
  return events.filter(({ type }) => type === 'message_confirmed').map(({ reference }) => reference);
}

/** A request with an item. */
export const withItem = ({ id }: Data, topics: readonly string[] = ['files']) => ({
  header: { topics: [...topics] },
  data: [{ id }],
});

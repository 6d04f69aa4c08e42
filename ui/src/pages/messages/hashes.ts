import { DataReference, type Data } from '../../../../src/wire/data/data.js';
import { write } from '../../../../src/wire/json/json.js';
import { HashedHeader, type Message } from '../../../../src/wire/messages/message.js';
import { noValue } from '../../../../src/wire/scalar.js';

/** A hash as served by the node and as computed. */
export interface HashCheck {
  readonly what: string;
  readonly claimed: string;
  readonly computed: string;
}

/**
 * Computes the hashes of a message: of its header, its list of data items, and each value. The content of files is not
 * hashed.
 */
export async function checkHashes(message: Message, data: readonly Data[]): Promise<readonly HashCheck[]> {
  const references = message.data.map((reference) => write(DataReference, reference)).join(',');
  const checks = [
    { what: 'message', claimed: message.hash, computed: await sha256(write(HashedHeader, message.header)) },
    { what: 'list of data', claimed: message.header.datahash, computed: await sha256(`[${references}]`) },
  ];
  for (const [index, { id, hash }] of message.data.entries()) {
    const item = data.find((each) => each.id === id);
    // An item that this node does not have cannot be checked.
    if (item !== undefined) checks.push({ what: `data ${index + 1}`, claimed: hash, computed: await hashOfItem(item) });
  }
  return checks;
}

/** The hash of an item: of its value, of its file, or of both hashes concatenated. */
async function hashOfItem({ value, blob }: Data): Promise<string> {
  const ofValue = blob !== undefined && value === noValue ? '' : await sha256(value);
  const ofBlob = blob?.hash ?? '';
  return ofValue !== '' && ofBlob !== '' ? sha256(ofValue + ofBlob) : ofValue || ofBlob;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { DataReference, type Data } from '../../../../src/wire/data/data.js';
import { write } from '../../../../src/wire/json/json.js';
import { HashedHeader, type Message } from '../../../../src/wire/messages/message.js';
import { noValue } from '../../../../src/wire/scalar.js';

/** One hash, as the node says it is and as this page has computed it. */
export interface HashCheck {
  readonly what: string;
  readonly claimed: string;
  readonly computed: string;
}

/**
 * Computes the hashes of a message from what was served: of its header, of its list of data, of each value. A file is
 * taken at its hash; its bytes are checked by whoever downloads it.
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

/** The hash of a value's text, of a file, or of both hashes together. */
async function hashOfItem({ value, blob }: Data): Promise<string> {
  const ofValue = blob !== undefined && value === noValue ? '' : await sha256(value);
  const ofBlob = blob?.hash ?? '';
  return ofValue !== '' && ofBlob !== '' ? sha256(ofValue + ofBlob) : ofValue || ofBlob;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

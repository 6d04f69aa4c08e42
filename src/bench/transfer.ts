import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { sha256 } from './check/facts.js';
import type { Download } from './check/recording.js';

/** A file that was uploaded: the answer of the node, and the hash of the bytes that were sent. */
export interface Upload {
  readonly answer: string;
  readonly hash: string;
}

const blockBytes = 1_048_576;

/**
 * Uploads a file of made-up bytes as a form, as fast as the node takes them, and hashes them on the way.
 *
 * @throws Error when the answer is not 200
 */
export async function uploadFile(
  url: string,
  sizeBytes: number,
  filename: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Upload> {
  const boundary = `bench-${randomBytes(8).toString('hex')}`;
  const disposition = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  const head = `--${boundary}\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const headers = { ...more, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const digest = createHash('sha256');
  const request = httpRequest(url, { method: 'POST', headers });
  const answered = new Promise<Upload>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200) resolve({ answer, hash: digest.digest('hex') });
        else reject(new Error(`the upload was answered with ${response.statusCode ?? 0}: ${answer.slice(0, 300)}`));
      });
    });
  });
  const write = async (bytes: Buffer | string): Promise<void> => {
    if (!request.write(bytes)) await once(request, 'drain');
  };
  const sent = (async () => {
    await write(head);
    // Random once, and every block another by its number: no part of it can be stored for another.
    const block = randomBytes(Math.min(blockBytes, sizeBytes));
    for (let left = sizeBytes, number = 0; left > 0; number++) {
      const bytes = Buffer.from(block.subarray(0, Math.min(left, block.length)));
      if (bytes.length >= 4) bytes.writeUInt32LE(number);
      digest.update(bytes);
      await write(bytes);
      left -= bytes.length;
    }
    request.end(`\r\n--${boundary}--\r\n`);
  })();
  // An answer that comes early, or a connection that breaks, ends the sending.
  const [upload] = await Promise.all([answered, Promise.race([sent, answered])]);
  return upload;
}

/** Downloads the file of a data item and hashes what comes. @throws Error when the answer is not 200 */
export function downloadFile(
  url: string,
  data: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Download> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`the download of ${data} was answered with ${response.statusCode ?? 0}`));
        response.resume();
        return;
      }
      const digest = createHash('sha256');
      let sizeBytes = 0;
      response.on('data', (chunk: Buffer) => {
        digest.update(chunk);
        sizeBytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve({ data, hash: digest.digest('hex'), sizeBytes });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

/** Hash of the value of a data item, as a node serves the item. */
export function hashOfValue(record: ReadonlyMap<string, string>): string {
  return sha256(record.get('value') ?? 'null');
}

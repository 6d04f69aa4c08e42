import { type Client, refusal } from '../../../src/client/client.js';
import { requestLine, UnreachableError } from '../../../src/client/errors.js';
import { Data } from '../../../src/wire/data/data.js';
import { readAs } from './read-as.js';

export interface Progress {
  /** Bytes. */
  readonly sent: number;
  readonly total: number;
}

export interface UploadOptions {
  readonly file: File;
  readonly hasMeta: boolean;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file and reports progress. Uses XMLHttpRequest, since `fetch` reports no upload progress.
 *
 * @throws ClientError, UnreachableError, Error if the signal aborts
 */
export function uploadFile(client: Client, { file, hasMeta, onProgress, signal }: UploadOptions): Promise<Data> {
  const form = new FormData();
  if (hasMeta) form.append('autometa', 'true');
  form.append('file', file, file.name);
  const address = client.address('data');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress({ sent: loaded, total }));
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      if (status === 200) resolve(readAs(Data, responseText));
      else reject(refusal({ status, text: responseText, request: requestLine('POST', address) }));
    });
    request.addEventListener('error', () => {
      reject(new UnreachableError(address, new Error('the connection failed'), 'POST'));
    });
    request.addEventListener('abort', () => reject(new Error('The upload was cancelled.')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

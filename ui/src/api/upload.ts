import { type Client, refusal } from '../../../src/client/client.js';
import { requestLine, UnreachableError } from '../../../src/client/errors.js';
import { Data } from '../../../src/wire/data/data.js';
import { readAlong } from './along.js';

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
 * Gives a file to the node and tells how far it is, which `fetch` of a browser does not. @throws ClientError,
 * UnreachableError, the signal's reason
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
      if (status === 200) resolve(readAlong(Data, responseText));
      else reject(refusal({ status, text: responseText, request: requestLine('POST', address) }));
    });
    request.addEventListener('error', () => {
      reject(new UnreachableError(address, new Error('the connection broke'), 'POST'));
    });
    request.addEventListener('abort', () => reject(new Error('The upload was given up.')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

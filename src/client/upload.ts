import { Data } from '../wire/data/data.js';
import { read } from '../wire/json/json-reader.js';
import { routes } from '../wire/routes.js';
import { type Answer, type Client, refusal } from './client.js';

/** A file to upload, read as a stream. */
export interface Upload {
  /** A label; any text. */
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Such as `autometa` and `metadata` (docs/api.md §11.2). They are sent before the file. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Uploads a file to a node, which stores it as a data item (docs/api.md §11.2). `content` is read as fast as the node
 * accepts it. Browsers do not stream requests over HTTP/1.1.
 *
 * @throws ClientError, UnreachableError, the signal's reason
 */
export async function uploadData(client: Client, upload: Upload, signal?: AbortSignal): Promise<Answer<Data>> {
  const { contentType, body } = multipartOf(upload, crypto.randomUUID());
  const answer = await client.exchange({
    method: 'POST',
    path: routes.uploadData.path,
    headers: { 'content-type': contentType },
    body,
    signal,
  });
  if (answer.status < 200 || answer.status > 299) throw refusal(answer);
  const value = read(answer.text, Data).value as Data; // the node writes its response by this schema
  return { status: answer.status, text: answer.text, value };
}

/** Builds a form (RFC 7578) as a stream. `boundary` must not occur in the content; a random one does not. */
function multipartOf(
  upload: Upload,
  boundary: string,
): { readonly contentType: string; readonly body: AsyncIterable<Uint8Array> } {
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: partsOf(upload, boundary),
  };
}

async function* partsOf(upload: Upload, boundary: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const fields = Object.entries(upload.fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${value}\r\n`,
  );
  const head = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${escaped(upload.fileName)}"`,
    `Content-Type: ${upload.mediaType}`,
  ];
  yield encoder.encode(`${fields.join('')}${head.join('\r\n')}\r\n\r\n`);
  yield* upload.content;
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}

/** Escapes a name in a form as browsers do. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { streamBytes } from '../../http/bodies/stream-bytes.js';

/** The one file of a multipart body. */
export interface Upload {
  readonly name: string;
  /**
   * Ends normally only if the whole body was well-formed and contained nothing else; otherwise rejects with
   * `UploadRefused`.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The body of an upload is invalid. */
export class UploadRefused extends Error {
  readonly status: 400 | 413;

  constructor(status: 400 | 413, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'UploadRefused';
    this.status = status;
  }
}

const maxNameBytes = 255;
const maxHeaderPairs = 50;
/** Maximum number of bytes buffered between socket and disk. */
const bufferBytes = 262_144;

/**
 * Opens the upload in a request. Exactly one file part is accepted, no field and no second file (docs/architecture.md
 * §12.3). At most a few hundred KiB are buffered; then the socket waits for the reader of `bytes`.
 *
 * @throws UploadRefused
 */
export async function openUpload(request: IncomingMessage, maxFileBytes: number): Promise<Upload> {
  const parser = createParser(request, maxFileBytes);
  const refusal = new AbortController();
  const complete = new Promise<void>((resolve) => parser.once('close', resolve));
  // The rest is read and discarded, so that the caller gets the response instead of a broken connection.
  const release = (): void => {
    request.unpipe(parser);
    request.resume();
    // Deferred: the parser may be in the middle of the event that led here.
    queueMicrotask(() => parser.destroy());
  };
  const upload = new Promise<Upload>((resolve, reject) => {
    const refuse = (error: UploadRefused): void => {
      refusal.abort(error);
      release();
      reject(error);
    };
    parser.once('file', (_field, stream, { filename = '' }) => {
      parser.off('close', refuseEmpty);
      stream.once('limit', () => refuse(new UploadRefused(413, `The file is larger than ${maxFileBytes} bytes.`)));
      stream.once('error', () => refuse(badBody('it ends too early')));
      if (Buffer.byteLength(filename) > maxNameBytes) refuse(badBody(`its name exceeds ${maxNameBytes} bytes`));
      else resolve({ name: decoded(filename), bytes: readAll(stream, complete, refusal.signal, release) });
    });
    watchForm(request, parser, refuse);
    const refuseEmpty = (): void => reject(badBody('it has no file'));
    parser.once('close', refuseEmpty);
  });
  request.pipe(parser);
  return upload;
}

function watchForm(request: IncomingMessage, parser: busboy.Busboy, refuse: (error: UploadRefused) => void): void {
  parser.once('fieldsLimit', () => refuse(badBody('it has a part that is not a file')));
  parser.once('filesLimit', () => refuse(badBody('it has a second file')));
  parser.once('partsLimit', () => refuse(badBody('it has too many parts')));
  parser.on('error', (cause) => refuse(badBody('it cannot be read', { cause })));
  request.once('close', () => {
    if (!request.complete) refuse(badBody('it ends too early'));
  });
}

function createParser(request: IncomingMessage, maxFileBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      defParamCharset: 'utf8',
      // One more than the limit, since a file of exactly `fileSize` counts as truncated.
      limits: { files: 1, fields: 0, parts: 2, headerPairs: maxHeaderPairs, fileSize: maxFileBytes + 1 },
    });
  } catch (cause) {
    request.resume();
    throw badBody('its content type has no boundary', { cause });
  }
}

async function* readAll(
  stream: Readable,
  complete: Promise<void>,
  refusal: AbortSignal,
  release: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* streamBytes(stream);
    await complete;
  } catch (cause) {
    refusal.throwIfAborted();
    throw badBody('it ends too early', { cause });
  } finally {
    release();
  }
  refusal.throwIfAborted();
}

/** Clients of Kubo percent-encode the name. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function badBody(problem: string, options?: ErrorOptions): UploadRefused {
  const sentence = `The body must be multipart/form-data with exactly one file part; ${problem}.`;
  return new UploadRefused(400, sentence, options);
}

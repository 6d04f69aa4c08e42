import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { streamBytes } from '../../http/bodies/stream-bytes.js';
import type { UploadForm } from '../../pipeline/accept/data/upload.js';
import type { StagedBlob } from '../../pipeline/blobs/incoming.js';
import { ServiceError } from '../../wire/errors/error.js';

/** Writes the bytes of a file to disk. */
export type StageBlob = (bytes: AsyncIterable<Uint8Array>) => Promise<StagedBlob>;

export interface UploadReader {
  /**
   * Reads a whole multipart form: its one file is written to disk as it arrives; its fields may come before or after
   * it.
   *
   * @throws ServiceError bad_multipart, bad_upload, json_bounds, blob_too_large, disk_full; then nothing is left on
   * disk
   */
  read(request: IncomingMessage): Promise<UploadForm>;
}

export interface UploadReaderParts {
  readonly stage: StageBlob;
  readonly discard: (staged: StagedBlob) => Promise<void>;
}

const filePart = 'file';
const maxFields = 8;
const maxFieldBytes = 65_536;
const maxParts = 10;
const maxHeaderPairs = 50;
const maxNameBytes = 255;
/** Maximum number of bytes buffered between socket and disk. */
const bufferBytes = 262_144;

/** The parts of a form found so far. */
interface Form {
  readonly fields: Map<string, string>;
  file: { readonly filename: string; readonly mimetype: string; readonly staged: Promise<StagedBlob> } | undefined;
}

/** Creates the reader of upload forms (docs/api.md §11.2). */
export function createUploadReader({ stage, discard }: UploadReaderParts): UploadReader {
  return {
    async read(request) {
      const form: Form = { fields: new Map(), file: undefined };
      const [parsed, file] = await settle(request, form, stage);
      if (parsed.status === 'fulfilled' && file?.status === 'fulfilled' && form.file !== undefined) {
        const { filename, mimetype } = form.file;
        return { fields: form.fields, filename, mimetype, staged: file.value };
      }
      if (file?.status === 'fulfilled') await discard(file.value);
      // The error of writing the file is closer to the cause than that of the form.
      if (file?.status === 'rejected' && file.reason instanceof ServiceError) throw file.reason;
      if (parsed.status === 'rejected') throw parsed.reason;
      if (file?.status === 'rejected') throw file.reason;
      throw new ServiceError('bad_upload', { problem: 'it has no file; send one part with a file name' });
    },
  };
}

type Settled = [parsed: PromiseSettledResult<void>, file: PromiseSettledResult<StagedBlob> | undefined];

/** Waits for the end of the form and of its file on disk. */
async function settle(request: IncomingMessage, form: Form, stage: StageBlob): Promise<Settled> {
  const [parsed] = await Promise.allSettled([parse(request, form, stage)]);
  if (parsed.status === 'fulfilled') takeField(form, stage);
  const [file] = await Promise.allSettled(form.file === undefined ? [] : [form.file.staged]);
  return [parsed, file];
}

/** Uses the field of that name as the file if the file has no name; its bytes were then decoded as text. */
function takeField(form: Form, stage: StageBlob): void {
  const text = form.fields.get(filePart);
  if (text === undefined || form.file !== undefined) return;
  if (text.includes('\uFFFD')) {
    const problem = 'its file has no file name and is no text in UTF-8; give the part a file name';
    form.file = { filename: '', mimetype: '', staged: Promise.reject(new ServiceError('bad_upload', { problem })) };
    return;
  }
  form.file = { filename: '', mimetype: 'text/plain', staged: stage(bytesOf(text)) };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function parse(request: IncomingMessage, form: Form, stage: StageBlob): Promise<void> {
  const parser = createParser(request);
  return new Promise((resolve, reject) => {
    let refusal: Error | undefined;
    const refuse = (error: Error): void => {
      refusal ??= error;
      request.unpipe(parser);
      // The remaining bytes are read and discarded, so that the caller gets the response instead of a broken
      // connection.
      request.resume();
      // Deferred: the parser may be handling the event that led here.
      queueMicrotask(() => parser.destroy());
      reject(error);
    };
    parser.on('file', (_name, stream, { filename: written = '', mimeType }) => {
      const filename = decodedName(written);
      // The reader gets the error; there may be no reader yet.
      stream.on('error', () => undefined);
      if (Buffer.byteLength(filename) > maxNameBytes) {
        stream.resume();
        refuse(badMultipart(`the name of its file exceeds ${maxNameBytes} bytes`));
        return;
      }
      const taken = stage(readFile(stream, () => refusal));
      taken.catch((error: unknown) => refuse(asError(error)));
      form.file = { filename, mimetype: mimeType, staged: taken };
    });
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || valueTruncated) refuse(badMultipart(`a field exceeds ${maxFieldBytes} bytes`));
      else if (name !== filePart && value.includes('\uFFFD')) refuse(notUtf8(name));
      else if (form.fields.has(name)) refuse(badMultipart(`the field ${name} is there twice`));
      else form.fields.set(name, value);
    });
    parser.once('filesLimit', () => refuse(new ServiceError('bad_upload', { problem: 'it has a second file' })));
    parser.once('fieldsLimit', () => refuse(badMultipart(`it has more than ${maxFields} fields`)));
    parser.once('partsLimit', () => refuse(badMultipart(`it has more than ${maxParts} parts`)));
    parser.on('error', () => refuse(badMultipart('it cannot be read to its end')));
    parser.once('close', resolve);
    request.once('close', () => {
      if (!request.complete) refuse(badMultipart('it ended too early'));
    });
    request.pipe(parser);
  });
}

/**
 * The file name of a part. Forms write three characters as `%22`, `%0A` and `%0D`, and encode no `%`, so these are
 * decoded as in the Fetch standard, even if a file's name contains such a code.
 */
function decodedName(written: string): string {
  return written.replaceAll(/%(?:22|0A|0D)/gi, (code) => decodeURIComponent(code));
}

/** `refusal` returns the fault for which the form was refused; it then ends the file, too. */
async function* readFile(stream: Readable, refusal: () => Error | undefined): AsyncGenerator<Uint8Array> {
  try {
    yield* streamBytes(stream);
  } catch {
    throw refusal() ?? badMultipart('its file ended too early');
  }
}

function createParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
      defParamCharset: 'utf8',
      preservePath: true,
      limits: {
        files: 1,
        fields: maxFields,
        // One more than the limit, since a value of exactly the limit counts as truncated.
        fieldSize: maxFieldBytes + 1,
        parts: maxParts,
        headerPairs: maxHeaderPairs,
      },
    });
  } catch {
    request.resume();
    throw badMultipart('its content type names no boundary');
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/**
 * The error for invalid UTF-8. The parser replaces invalid bytes by U+FFFD, so a text with that character is refused,
 * too.
 */
function notUtf8(field: string): ServiceError {
  return new ServiceError('json_bounds', { problem: `the field ${field} is not UTF-8, or has U+FFFD: write \\ufffd` });
}

function badMultipart(problem: string): ServiceError {
  return new ServiceError('bad_multipart', { problem });
}

import { CliError } from '../errors/exit.js';
import { fileHint } from '../errors/remedies.js';

/** Far above the limit of a request, so that only a wrong file is refused. */
const maxInputBytes = 64 * 1024 * 1024;

/** Reads a stream to its end. @throws CliError USAGE above 64 MiB */
export async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > maxInputBytes) throw new CliError('USAGE', 'The input is larger than 64 MiB.', { hint: fileHint });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export interface Line {
  /** Counted from 1, including empty lines. */
  readonly number: number;
  /** Without the line break. */
  readonly bytes: Buffer;
}

/** Yields the lines of a stream, except empty ones. @throws CliError USAGE for a line above 64 MiB */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of input) {
    let bytes = Buffer.concat([rest, Buffer.from(chunk)]);
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed)) {
      const line = withoutReturn(bytes.subarray(0, end));
      number++;
      if (line.length > 0) yield { number, bytes: line };
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > maxInputBytes) {
      throw new CliError('USAGE', `Line ${number + 1} of the input is longer than 64 MiB.`, { hint: fileHint });
    }
    rest = bytes;
  }
  if (rest.length > 0) yield { number: number + 1, bytes: withoutReturn(rest) };
}

const lineFeed = 10;
const carriageReturn = 13;

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}

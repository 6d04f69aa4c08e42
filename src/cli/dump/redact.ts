import { StringDecoder } from 'node:string_decoder';

const mark = '[secret]';
/** Longer lines are processed in pieces. */
const maxLineCharacters = 1_048_576;

/** Replaces every secret in a text, also in upper case. */
export type Redact = (text: string) => string;

export function createRedact(secrets: readonly string[]): Redact {
  if (secrets.length === 0) return (text) => text;
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'gi');
  return (text) => text.replaceAll(pattern, mark);
}

/**
 * Yields the content of a file with its secrets replaced. No secret contains a line break, so it works line by line.
 */
export async function* redacted(source: AsyncIterable<Uint8Array>, redact: Redact): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of source) {
    rest = redact(rest + decoder.write(Buffer.from(chunk)));
    // Half of a long line is kept, so that a secret across two chunks is found.
    const isLong = rest.length > maxLineCharacters;
    const end = isLong ? rest.length - maxLineCharacters / 2 : rest.lastIndexOf('\n') + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield redact(rest + decoder.end());
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w-]/g, String.raw`\$&`);
}

import type { Readable } from 'node:stream';

const maxLineCharacters = 262_144;

/** Delivers the lines of a stream until it ends; one that is too long is delivered in parts. */
export async function deliverLines(stream: Readable, deliver: (line: string) => void): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') deliver(line);
    if (rest.length > maxLineCharacters) {
      deliver(rest);
      rest = '';
    }
  }
  if (rest !== '') deliver(rest);
}

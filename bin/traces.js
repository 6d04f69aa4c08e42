// Shows sources in stack traces. Node's own support reads the source map of each program at once, a tenth of a start.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

const maps = new Map();

/** Makes stack traces show sources instead of the programs of a folder. A map is read when a trace needs it. */
export function showSources(folder) {
  Error.prepareStackTrace = (error, calls) =>
    [headOf(error), ...calls.map((call) => `    at ${described(call, folder)}`)].join('\n');
}

/** Returns the first line as V8 writes it. A stack can also belong to an object that cannot become a string. */
function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function described(call, folder) {
  const text = String(call);
  const file = call.getFileName();
  if (!file || dirname(file) !== folder) return text;
  const line = call.getLineNumber();
  const column = call.getColumnNumber();
  const { originalSource, originalLine } = mapOf(file)?.findEntry(line - 1, column - 1) ?? {};
  if (!originalSource) return text;
  return text.replace(`${file}:${line}:${column}`, () => `${resolve(folder, originalSource)}:${originalLine + 1}:1`);
}

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

/** Reads a map; undefined if there is none. Traces then show the lines of the program. */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

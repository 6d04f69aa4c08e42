// Names the sources in stack traces. Node's own way reads the map of each program with it: a tenth of a start.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';

const maps = new Map();

/** Makes stack traces name sources in place of programs of the folder. Maps are read with the first such trace. */
export function showSources(folder) {
  Error.prepareStackTrace = (error, calls) =>
    [headOf(error), ...calls.map((call) => `    at ${described(call, folder)}`)].join('\n');
}

/** Returns the first line as V8 writes it. Anything can be given a stack, also what has no text. */
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

/** Returns nothing where there is no map: a trace then names the program's own lines. */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

import { type Artifact, contractsOf, contractsToDescribe, placeOf } from '../../../../../src/client/artifact.js';
import { textOf, valueOf } from '../../../../../src/wire/json/json.js';
import { compact, membersOf } from '../../../../../src/wire/json/json-reader.js';
import type { JsonText } from '../../../../../src/wire/scalar.js';
import { objectText } from '../../../actions/body-text.js';

/** The source of an interface: an ABI, which the node converts, or the interface itself. */
export type InterfaceSource =
  | { readonly kind: 'abi'; readonly abi: JsonText }
  | { readonly kind: 'interface'; readonly members: ReadonlyMap<string, JsonText> };

/** Reads the input or the content of a file; undefined if it is neither. */
export function sourceOf(text: string): InterfaceSource | undefined {
  const json = readJson(text);
  if (json === undefined) return undefined;
  if (Array.isArray(valueOf(json))) return { kind: 'abi', abi: json };
  const members = membersOf(json);
  if (members === undefined || !parts.some((part) => members.has(part)) || members.has('abi')) return undefined;
  return { kind: 'interface', members };
}

const parts = ['methods', 'events', 'errors'];

/** The content for the form from a file. */
export interface FileContent {
  /** Tells the contracts of a file apart. */
  readonly place: string;
  readonly text: string;
  /** The name and version of the interface, if the file has them. */
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** Reads a file: an interface, an ABI, or the output of a compiler, which may have several contracts. */
export function contentsOf(text: string): readonly FileContent[] {
  const source = sourceOf(text);
  const nothing = { place: '', name: undefined, version: undefined };
  if (source?.kind === 'interface') {
    const named = (name: string) => nameOf(source.members.get(name));
    return [{ ...nothing, text, name: named('name'), version: named('version') }];
  }
  const contracts = source === undefined ? contractsIn(text) : [];
  if (contracts.length === 0) return [{ ...nothing, text }];
  return contracts.map((each) => ({
    place: placeOf(each),
    text: textOf(each.abi),
    name: each.name === '' ? undefined : each.name,
    version: undefined,
  }));
}

/** The request body for an interface, with another name and version. */
export function interfaceBody(members: ReadonlyMap<string, JsonText>, name: string, version: string): string {
  const others = [...members].filter(([member]) => member !== 'name' && member !== 'version');
  return objectText([['name', textOf(name)], ['version', textOf(version)], ...others]);
}

function contractsIn(text: string): readonly Artifact[] {
  try {
    return contractsToDescribe(contractsOf(text, ''));
  } catch {
    return [];
  }
}

function nameOf(json: JsonText | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : valueOf(json);
  return typeof value === 'string' ? value : undefined;
}

function readJson(text: string): JsonText | undefined {
  try {
    return compact(text);
  } catch {
    return undefined;
  }
}

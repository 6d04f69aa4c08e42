import { textOf, valueOf } from '../wire/json/json.js';
import type { JsonText } from '../wire/scalar.js';

/** The labels of a blob, for people to read; never used as a file name. */
export interface BlobLabels {
  readonly name?: string;
  readonly path?: string;
}

/** Maximum size of a label, in bytes of its JSON text; a longer one is left out. */
const maxLabelBytes = 512;

/**
 * Reads the labels of a blob from the value of its item (docs/api.md §11.1): `name`, else `path`/`filename`, else
 * `filename`. The path is the directory part of the name and always begins with a slash.
 */
export function blobLabels(value: JsonText): BlobLabels {
  const name = nameIn(valueOf(value));
  if (name === undefined || isTooLong(name)) return {};
  const end = name.lastIndexOf('/');
  if (end < 0) return { name };
  const directory = name.slice(0, end);
  return { name, path: directory.startsWith('/') ? directory : `/${directory}` };
}

function nameIn(value: unknown): string | undefined {
  const name = textIn(value, 'name');
  const path = textIn(value, 'path');
  const filename = textIn(value, 'filename');
  if (name !== undefined) return name;
  return path === undefined || filename === undefined ? filename : `${path}/${filename}`;
}

function textIn(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const member: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof member === 'string' && member !== '' ? member : undefined;
}

function isTooLong(label: string): boolean {
  return new TextEncoder().encode(textOf(label)).length > maxLabelBytes;
}

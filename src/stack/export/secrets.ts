import { join, relative } from 'node:path';
import type { StackSettings } from '../definition/definition.js';
import type { Layout } from '../layout.js';
import { pathsBelow } from '../snapshot/saving/copy.js';

export interface SecretFile {
  readonly source: string;
  /** Its path below the folder of the keys, such as `alice/signing`. */
  readonly path: string;
}

/** Every key, certificate and credential of a stack, including files that its definition names. */
export async function secretFilesOf(layout: Layout, settings: StackSettings): Promise<readonly SecretFile[]> {
  const { chain, store, parties } = settings;
  const own = (await pathsBelow(layout.keys))
    .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
    .map((path) => ({ source: join(layout.keys, path), path }));
  const named = [
    { source: chain.external?.operatorKey, path: 'operator' },
    { source: chain.external?.funder, path: 'chain/funder' },
    { source: chain.external?.authFile, path: 'chain/auth' },
    { source: store.external?.authFile, path: 'store/auth' },
    ...parties.flatMap(({ name, database, tls }) => [
      { source: database?.urlFile, path: `${name}/database.url` },
      { source: tls?.certificateFile, path: `${name}/tls.crt` },
      { source: tls?.keyFile, path: `${name}/tls.key` },
    ]),
  ].flatMap(({ source, path }) => (source == null ? [] : [{ source, path }]));
  const replaced = new Set(named.map(({ path }) => path));
  return [...own.filter(({ path }) => !replaced.has(path)), ...named];
}

/** The folders and files of the secrets that a service reads, as paths below the folder of the keys. */
export function secretsOf(service: string, secrets: readonly SecretFile[], inside: Layout, config: unknown): string[] {
  const texts = textsIn(config).filter((text) => text.startsWith(`${inside.keys}/`));
  const read = new Set(texts.map((text) => relative(inside.keys, text)));
  const known = secrets.map(({ path }) => path);
  return known.filter((path) => read.has(path) || path.startsWith(`${service}/wallet/`));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value instanceof Object ? Object.values(value).flatMap(textsIn) : [];
}

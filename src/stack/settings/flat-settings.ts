import type { StackSettings } from '../definition/definition.js';

/** Settings by their names. */
export type FlatSettings = Readonly<Record<string, unknown>>;

/**
 * Flattens the settings of a network to names with dots. Items of lists become members by their names, so that each is
 * compared with itself.
 */
export function flat({
  parties,
  namespaces,
  tokens,
  chain,
  store,
  profile,
  template: _,
  name: __,
  // Used by commands that start and stop the stack, not a part of the network.
  seed: ___,
  hooks: ____,
  ...others
}: StackSettings): FlatSettings {
  const { mining, external, engine, ...ofLocal } = chain;
  const certificates = parties.flatMap(({ name: party, tls }) => (tls === undefined ? [] : [{ name: party, ...tls }]));
  // Settings of a chain that others run have the names that the user has written.
  const ofChain = external === null ? { ...ofLocal, provider: engine } : { provider: 'url', ...external };
  const ofStore =
    store.external === null ? { cors: store.cors, provider: 'local' } : { provider: 'ipfs', ...store.external };
  return {
    ...leaves({ ...others, chain: ofChain, store: ofStore }),
    // All settings of containers are optional, so they do not show whether there are containers.
    runtime: runtimeOf(others.docker !== null),
    ...(external === null && { 'chain.mining': mining }),
    profile: profile ?? 'none',
    // A party's key was copied, so its file may be gone; `createKeys` refuses a different one.
    ...named(
      'parties',
      parties.map(({ keyFile: _____, isExternal: ______, tls: _______, ...party }) => party),
    ),
    ...named('tls', certificates),
    // Not a part of the network: it may change at any start.
    external: parties.filter(({ isExternal }) => isExternal === true).map(({ name }) => name),
    ...named(
      'tokens.pools',
      tokens.pools.map(({ symbol = null, ...pool }) => ({ ...pool, symbol })),
    ),
    ...named(
      'namespaces',
      namespaces.map((each) => ({ name: each })),
    ),
    ...named(
      'tokens.connectors',
      tokens.connectors.map((each) => ({ name: each })),
    ),
  };
}

export function runtimeOf(hasContainers: boolean): string {
  return hasContainers ? 'docker' : 'process';
}

function named(path: string, items: readonly { readonly name: string }[]): FlatSettings {
  return Object.fromEntries(items.map(({ name, ...rest }) => [`${path}.${name}`, rest]));
}

function leaves(value: object, path = ''): FlatSettings {
  const entries = Object.entries(value).flatMap(([key, member]: [string, unknown]): [string, unknown][] => {
    const isMapping = member instanceof Object && !Array.isArray(member);
    return isMapping ? Object.entries(leaves(member, `${path}${key}.`)) : [[`${path}${key}`, member]];
  });
  return Object.fromEntries(entries);
}

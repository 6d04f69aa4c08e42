import { type Static, type TObject, Type } from '@sinclair/typebox';
import { fileFrom, pathOf, SecretFile } from './chain-settings.js';

const Address = Type.Optional(
  Type.String({
    pattern: '^https?://[^\\s@/?#]+/?$',
    description: 'an address such as http://127.0.0.1:5001, without a path',
  }),
);

/** The settings of an IPFS node that others run (`provider: ipfs`). */
export const externalStoreProperties = { api: Address, gateway: Address, authFile: Type.Optional(SecretFile) };
const externalKeys: readonly string[] = Object.keys(externalStoreProperties);

/** An IPFS node that others run. The path is absolute. */
export interface ExternalStore {
  /** Its RPC API. */
  readonly api: string;
  readonly gateway: string;
  readonly authFile: string | null;
}

type Definition = Static<TObject<typeof externalStoreProperties>> & {
  readonly provider?: string;
  readonly cors?: unknown;
};

/** The default port of an IPFS node's gateway. */
const gatewayPort = '8080';

/** The external store of a definition; null for the stack's own. */
export function externalStoreOf(store: Definition | undefined): ExternalStore | null {
  if (store?.provider !== 'ipfs' || store.api === undefined) return null;
  return { api: store.api, gateway: store.gateway ?? gatewayBeside(store.api), authFile: pathOf(store.authFile) };
}

/** The gateway of an API: on the same host, on the usual port; behind a proxy (no port) at the same address. */
function gatewayBeside(api: string): string {
  if (!URL.canParse(api)) return api;
  const url = new URL(api);
  if (url.port !== '') url.port = gatewayPort;
  return url.origin;
}

/** The store with its path resolved against the directory of `stack.yaml`. */
export function withStoreFileFrom(directory: string, store: ExternalStore): ExternalStore {
  return { ...store, authFile: fileFrom(directory, store.authFile) };
}

/** Invalid combinations that the schema allows: the member, and what is wrong with it. */
export function storeProblems(store: Definition | undefined): { readonly path: string; readonly message: string }[] {
  if (store === undefined) return [];
  const given = Object.keys(store);
  if (store.provider !== 'ipfs') {
    const foreign = given.find((key) => externalKeys.includes(key));
    if (foreign === undefined) return [];
    const message = `store.${foreign} is for an IPFS node that others run: add provider: ipfs, or remove it.`;
    return [{ path: `/store/${foreign}`, message }];
  }
  const ofOwn = given.includes('cors')
    ? [{ path: '/store/cors', message: "store.cors is for the stack's own store: remove it." }]
    : [];
  const ofAddresses = (['api', 'gateway'] as const).flatMap((key) => {
    const address = store[key];
    if (address === undefined || URL.canParse(address)) return [];
    return [{ path: `/store/${key}`, message: `store.${key} is not a valid address: ${address}` }];
  });
  if (store.api !== undefined) return [...ofOwn, ...ofAddresses];
  return [...ofOwn, { path: '/store', message: 'store.provider ipfs needs store.api, the address of its RPC API.' }];
}

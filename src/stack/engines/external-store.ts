import { checkUserFiles } from '../keys/keys.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { ExternalStore } from '../settings/store-settings.js';
import { authorizationIn } from '../tasks/exchange.js';

/** A store that others run, as it was found. */
export interface FoundStore {
  readonly version: string;
}

const limitMs = 10_000;
const statusLimitMs = 2_000;

/** A content to try the store with, and the name that it must give it: that of a node's payloads. */
const sample = { text: 'parley\n', cid: 'QmTFsjFwmsfdaUSvUTfgUo6d6Zg2GbXVmDvfJfEJnAi9jm' };

/** Whether the store answers now. */
export async function isStoreUp(store: ExternalStore): Promise<boolean> {
  try {
    const response = await callApi(store, 'version', { signal: AbortSignal.timeout(statusLimitMs) });
    return response.ok && versionIn(await response.text()) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Looks at the store of a definition: gives it a few bytes that nothing keeps, and reads them through the gateway.
 *
 * @throws StackError STORE_UNREACHABLE, STORE_UNSUITABLE, each naming the setting
 */
export async function inspectStore(store: ExternalStore): Promise<FoundStore> {
  const version = versionIn(await answerOf(store, 'version'));
  if (version === undefined) {
    throw unsuitable('store.api', `${store.api} is no RPC API of IPFS: it told no version`, swapHint);
  }
  const parameters = 'cid-version=0&hash=sha2-256&chunker=size-262144&raw-leaves=false&quieter=true&pin=false';
  const body = new FormData();
  body.append('file', new Blob([sample.text]), 'sample');
  const added = await answerOf(store, `add?${parameters}`, body);
  if (!added.includes(`"${sample.cid}"`)) {
    throw unsuitable(
      'store.api',
      `${store.api} gives contents other names than the network's nodes expect`,
      versionHint,
    );
  }
  await requireGateway(store);
  return { version };
}

/** `stack config validate --online`; undefined for the stack's own store. @throws StackError as `inspectStore` */
export async function validateStore(settings: StackSettings): Promise<FoundStore | undefined> {
  const { external } = settings.store;
  if (external === null) return undefined;
  await checkUserFiles(settings);
  return inspectStore(external);
}

const swapHint = 'Name the RPC API, which is on port 5001 unless Addresses.API says otherwise; the gateway is another.';
const versionHint = 'Use Kubo, of a version like 0.36.';

async function callApi({ api, authFile }: ExternalStore, method: string, init: RequestInit): Promise<Response> {
  const headers = authFile === null ? {} : { authorization: await authorizationIn(authFile) };
  return fetch(new URL(`/api/v0/${method}`, api), { method: 'POST', headers, redirect: 'manual', ...init });
}

/** The answer of the API to a call that must succeed. */
async function answerOf(store: ExternalStore, method: string, body?: FormData): Promise<string> {
  const [name = method] = method.split('?');
  const init = { signal: AbortSignal.timeout(limitMs), ...(body && { body }) };
  const { status, text } = await reached('store.api', store.api, async () => {
    const response = await callApi(store, method, init);
    return { status: response.status, text: await response.text() };
  });
  if (status === 200) return text;
  if (status === 401 || status === 403) {
    const credentials = store.authFile === null ? 'it asks for credentials' : 'it refuses the credentials of the file';
    const setting = store.authFile === null ? 'store.api' : 'store.authFile';
    const hint = 'Name a file of mode 0600 with a token, or user:password, that API.Authorizations allows to add.';
    throw unsuitable(setting, `${store.api} answers ${status} to ${name}: ${credentials}`, hint);
  }
  throw unsuitable('store.api', `${store.api} answers ${status} to ${name}, so it is no RPC API of IPFS`, swapHint);
}

async function requireGateway({ gateway, api, authFile }: ExternalStore): Promise<void> {
  const url = new URL(`/ipfs/${sample.cid}`, gateway);
  const isSameHost = new URL(api).hostname === url.hostname && new URL(api).protocol === url.protocol;
  const authorization = authFile !== null && isSameHost ? { authorization: await authorizationIn(authFile) } : {};
  const { status, text, place } = await reached('store.gateway', gateway, async () => {
    const headers = { accept: 'application/octet-stream', ...authorization };
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    return { status: response.status, text: await response.text(), place: response.headers.get('location') };
  });
  if (status === 200 && text === sample.text) return;
  if (status >= 300 && status < 400) {
    const isLocal = url.hostname === 'localhost';
    const hint = isLocal
      ? `Name it by its number: store.gateway: ${gateway.replace('localhost', '127.0.0.1')}`
      : `Have it serve paths: set UseSubdomains of ${url.hostname} in its Gateway.PublicGateways to false.`;
    throw unsuitable('store.gateway', `${gateway} sends readers on to ${place ?? 'somewhere else'}`, hint);
  }
  const hint = 'Name the gateway of the same IPFS node, which is on port 8080 unless Addresses.Gateway says otherwise.';
  const what = status === 200 ? 'something else' : String(status);
  throw unsuitable('store.gateway', `${gateway} answers ${what} for what ${api} was just given`, hint);
}

async function reached<T>(setting: string, address: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      throw unreachable(setting, `${address} did not answer within ${limitMs / 1_000} s`, cause);
    }
    const { cause: inner } = cause instanceof Error ? cause : {};
    const reason = inner instanceof Error ? inner.message : 'no connection';
    throw unreachable(setting, `nothing answers at ${address}: ${reason || 'no connection'}`, cause);
  }
}

function unreachable(setting: string, what: string, cause: unknown): StackError {
  return new StackError('STORE_UNREACHABLE', `${setting}: ${what}.`, {
    hint: 'Start the IPFS node, or name its address.',
    cause,
  });
}

function unsuitable(setting: string, what: string, hint: string): StackError {
  return new StackError('STORE_UNSUITABLE', `${setting}: ${what}.`, { hint });
}

function versionIn(answer: string): string | undefined {
  return /"Version"\s*:\s*"([\w.+-]{1,64})"/.exec(answer)?.[1];
}

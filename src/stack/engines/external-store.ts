import { type HttpRequest, openRequest } from '../../http/client/request.js';
import { readText } from '../../http/client/response.js';
import { checkUserFiles } from '../keys/keys.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { ExternalStore } from '../settings/store-settings.js';
import { authorizationIn } from '../tasks/exchange.js';

/** A store that others run, as it was found. */
export interface FoundStore {
  readonly version: string;
}

const limitMs = 5_000;
const limits = { totalMs: limitMs };
const maxAnswerBytes = 1_048_576;
const statusLimitMs = 2_000;

/** Content to test the store with, and the CID that it must return, as for a node's payloads. */
const sample = { text: 'parley\n', cid: 'QmTFsjFwmsfdaUSvUTfgUo6d6Zg2GbXVmDvfJfEJnAi9jm' };

const boundary = 'parley-sample';
const sampleForm: CallOptions = {
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  body: [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="sample"',
    'Content-Type: application/octet-stream',
    '',
    sample.text,
    `--${boundary}--`,
    '',
  ].join('\r\n'),
};

/** The reason why nodes cannot use the store now, as a sentence; undefined if it answers. */
export async function storeTrouble(store: ExternalStore): Promise<string | undefined> {
  const { api } = store;
  try {
    const { status, text } = await callApi(store, 'version', { limits: { totalMs: statusLimitMs } });
    const isStore = status === 200 && versionIn(text) !== undefined;
    return isStore ? undefined : `store.api: ${api} answers ${status} to version, without a version.`;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return `store.api: ${api} did not answer within ${statusLimitMs / 1_000} s.`;
    return `store.api: nothing answers at ${api}.`;
  }
}

/**
 * Checks the store of a definition: adds a few bytes without pinning them, and reads them through the gateway.
 *
 * @throws StackError STORE_UNREACHABLE, STORE_UNSUITABLE, each naming the setting
 */
export async function inspectStore(store: ExternalStore): Promise<FoundStore> {
  const version = versionIn(await answerOf(store, 'version'));
  if (version === undefined) {
    throw unsuitable('store.api', `${store.api} is not an RPC API of IPFS: it returned no version`, swapHint);
  }
  const parameters = 'cid-version=0&hash=sha2-256&chunker=size-262144&raw-leaves=false&quieter=true&pin=false';
  const added = await answerOf(store, `add?${parameters}`, sampleForm);
  if (!added.includes(`"${sample.cid}"`)) {
    throw unsuitable('store.api', `${store.api} returns other CIDs than the nodes expect`, versionHint);
  }
  await requireGateway(store);
  return { version };
}

/**
 * Checks the store for `stack config validate --online`; undefined for the stack's own store.
 *
 * @throws StackError as `inspectStore`
 */
export async function validateStore(settings: StackSettings): Promise<FoundStore | undefined> {
  const { external } = settings.store;
  if (external === null) return undefined;
  await checkUserFiles(settings);
  return inspectStore(external);
}

const swapHint = 'Name the RPC API, which is on port 5001 unless Addresses.API says otherwise; the gateway is another.';
const versionHint = 'Use Kubo 0.36 or a similar version.';

type CallOptions = Pick<HttpRequest, 'headers' | 'body' | 'limits'>;

async function callApi({ api, authFile }: ExternalStore, method: string, options: CallOptions): Promise<Answer> {
  const authorization = authFile === null ? {} : { authorization: await authorizationIn(authFile) };
  const headers = { ...options.headers, ...authorization };
  return ask({ ...options, url: new URL(`/api/v0/${method}`, api), method: 'POST', headers });
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
}

async function ask(request: HttpRequest): Promise<Answer> {
  const response = await openRequest(request);
  const { status, headers } = response;
  return { status, text: await readText(response, maxAnswerBytes), location: headers.location };
}

/** The answer of the API to a call that must succeed. */
async function answerOf(store: ExternalStore, method: string, form: CallOptions = {}): Promise<string> {
  const [name = method] = method.split('?');
  const { status, text } = await reached('store.api', store.api, () => callApi(store, method, { ...form, limits }));
  if (status === 200) return text;
  if (status === 401 || status === 403) {
    const credentials = store.authFile === null ? 'it asks for credentials' : 'it refuses the credentials of the file';
    const setting = store.authFile === null ? 'store.api' : 'store.authFile';
    const hint = 'Name a file of mode 0600 with a token, or user:password, that API.Authorizations allows to add.';
    throw unsuitable(setting, `${store.api} answers ${status} to ${name}: ${credentials}`, hint);
  }
  throw unsuitable('store.api', `${store.api} answers ${status} to ${name}, so it is not an RPC API of IPFS`, swapHint);
}

async function requireGateway({ gateway, api, authFile }: ExternalStore): Promise<void> {
  const url = new URL(`/ipfs/${sample.cid}`, gateway);
  const isSameHost = new URL(api).hostname === url.hostname && new URL(api).protocol === url.protocol;
  const authorization = authFile !== null && isSameHost ? { authorization: await authorizationIn(authFile) } : {};
  const headers = { accept: 'application/octet-stream', ...authorization };
  const { status, text, location } = await reached('store.gateway', gateway, () => ask({ url, headers, limits }));
  if (status === 200 && text === sample.text) return;
  if (status >= 300 && status < 400) {
    const isLocal = url.hostname === 'localhost';
    const hint = isLocal
      ? `Name it by its number: store.gateway: ${gateway.replace('localhost', '127.0.0.1')}`
      : `Have it serve paths: set UseSubdomains of ${url.hostname} in its Gateway.PublicGateways to false.`;
    throw unsuitable('store.gateway', `${gateway} redirects to ${location ?? 'another address'}`, hint);
  }
  const hint = 'Name the gateway of the same IPFS node, which is on port 8080 unless Addresses.Gateway says otherwise.';
  const what = status === 200 ? 'other bytes' : String(status);
  throw unsuitable('store.gateway', `${gateway} answers ${what} for content that was just added at ${api}`, hint);
}

async function reached<T>(setting: string, address: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'TimeoutError') {
      throw unreachable(setting, `${address} did not answer within ${limitMs / 1_000} s`, cause);
    }
    const reason = cause instanceof Error ? cause.message : '';
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

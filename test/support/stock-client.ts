import { eventually } from './eventually.js';

/** An answer as read by a stock client. */
export interface StockAnswer {
  readonly status: number;
  readonly ignored: string | null;
  // A stock client has no schemas, so the test decides the shape.
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client that sends requests as FireFly's clients do, without this project's headers. */
export function stockClient(url: string, namespace = 'default') {
  const address = (path: string) =>
    path.startsWith('/') ? url + path : `${url}/api/v1/namespaces/${namespace}/${path}`;

  async function ask(method: string, path: string, body?: unknown): Promise<StockAnswer> {
    const response = await fetch(address(path), { method, ...contentOf(body) });
    const value: unknown = JSON.parse((await response.text()) || 'null');
    return { status: response.status, ignored: response.headers.get('x-parley-ignored'), body: Object(value) };
  }

  return {
    ask,
    get: (path: string) => ask('GET', path),
    post: (path: string, body: unknown = {}) => ask('POST', path, body),
    /** Returns the records of a list, once there are at least `count`. */
    list: (path: string, count = 0) =>
      eventually(async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
        const { status, body } = await ask('GET', path);
        if (status !== 200 || !Array.isArray(body) || body.length < count) {
          throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
        }
        return body;
      }),
  };
}

/** Sends texts and forms as they are, anything else as JSON. */
function contentOf(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  if (body === undefined) return {};
  if (body instanceof FormData) return { body };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { headers: { 'content-type': 'application/json' }, body: text };
}

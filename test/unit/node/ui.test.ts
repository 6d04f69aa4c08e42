import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthentication } from '../../../src/http/access/auth.js';
import type { ExplorerFiles } from '../../../src/node/ui.js';
import { noncePlaceholder } from '../../../src/wire/network/explorer.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

const explorer: ExplorerFiles = {
  page: `<meta nonce="${noncePlaceholder}"><title>the page</title><script src="./assets/index-1.js">`,
  files: new Map([['/ui/assets/index-1.js', { type: 'text/javascript', bytes: Buffer.from('script') }]]),
};
let network: TestNetwork;

beforeAll(async () => {
  network = await startTestNetwork(['alice'], { namespaces: ['default', 'other'], explorer });
});
afterAll(() => network.stop());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(network.node.url + path, { redirect: 'manual', ...init });
}

/** Sends a request with the headers of a browser, which `fetch` would set itself. */
async function statusOf(path: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = (await once(get(network.node.url + path, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('the explorer of a node', () => {
  it('is the target of the root, also of a node that a proxy serves below a path', async () => {
    expect((await ask('/')).headers.get('location')).toBe('ui');
  });

  it('answers with its page for every path of the page', async () => {
    for (const path of ['/ui', '/ui/', '/ui/default/messages', '/ui/default/messages/1?f=tag=a', '/ui/%00<b>']) {
      const response = await ask(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, expect.stringContaining('the page')]);
    }
  });

  it.each(['/ui', '/ui/', '/ui/default', '/ui/default/tokens/pools/1'])(
    'names its files relative to the path, since a proxy may serve it elsewhere: %s',
    async (path) => {
      const [, source = ''] = /src="(.*?)"/.exec(await (await ask(path)).text()) ?? [];
      expect(new URL(source, `http://proxy/alice${path}`).pathname).toBe('/alice/ui/assets/index-1.js');
    },
  );

  it('has a policy that runs only its own scripts, with a new nonce in each answer', async () => {
    const pages = await Promise.all([ask('/ui'), ask('/ui')]);
    const nonces = await Promise.all(pages.map(async (page) => /nonce="([\w-]{24})"/.exec(await page.text())?.[1]));
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { headers }] of pages.entries()) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonces[index]}';`);
      expect(policy).toContain(`frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`);
      expect(policy).not.toContain('unsafe');
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  it('caches its files permanently, since their names change with their content', async () => {
    const response = await ask('/ui/assets/index-1.js');
    expect([response.status, await response.text()]).toEqual([200, 'script']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  it('has only the files that were built', async () => {
    const paths = ['assets/index-2.js', 'assets/..%2f..%2fpackage.json', 'assets/%2e%2e/index.html', '_stack/parties'];
    for (const path of paths) {
      const { status, headers } = await ask(`/ui/${path}`);
      expect([path, status, headers.get('content-type')]).not.toEqual([path, 200, 'text/javascript; charset=utf-8']);
    }
    expect((await ask('/ui/assets/index-2.js')).status).toBe(404);
    expect((await ask('/ui/_anything')).status).toBe(404);
  });

  it('gets the information about the node that it needs before its first request', async () => {
    expect(await (await ask('/ui/_config')).json()).toEqual({
      party: 'alice',
      node: 'alice-node',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      namespaces: ['default', 'other', 'svc_system'],
      auth: false,
      joins: false,
      parties: [],
    });
  });

  it('accepts no uploads', async () => {
    const headers = { 'content-type': 'application/json' };
    const { status, headers: answered } = await ask('/ui/_config', { method: 'POST', body: '{}', headers });
    expect([status, answered.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('may be opened by a link of any page, and read by none', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const opened = await statusOf('/ui/default/messages', { ...foreign, 'sec-fetch-mode': 'navigate' });
    const read = await statusOf('/ui/_config', { ...foreign, 'sec-fetch-mode': 'cors' });
    const withOrigin = await statusOf('/ui/_config', { origin: 'http://127.0.0.1:9' });
    expect([opened, read, withOrigin]).toEqual([200, 403, 403]);
  });
});

describe('the explorer of a node that requires credentials', () => {
  it('answers only the challenge without one, and shows the namespaces of its caller', async () => {
    const secret = { kind: 'token' as const, sha256: Buffer.from(await sha256('t')) };
    const authentication = createAuthentication([{ name: 'dev', secret, namespaces: ['other'] }]);
    const guarded = await startTestNetwork(['alice'], {
      namespaces: ['default', 'other'],
      explorer,
      authenticationOf: () => authentication,
    });
    try {
      for (const path of ['/ui', '/ui/assets/index-1.js', '/ui/_config']) {
        const response = await fetch(guarded.node.url + path);
        expect([path, response.status]).toEqual([path, 401]);
        expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
        expect(await response.text()).not.toMatch(/the page|script|alice/);
      }
      const authorization = `Basic ${Buffer.from('dev:t').toString('base64')}`;
      const config = await fetch(`${guarded.node.url}/ui/_config`, { headers: { authorization } });
      expect([config.status, await config.json()]).toMatchObject([200, { auth: true, namespaces: ['other'] }]);
    } finally {
      await guarded.stop();
    }
  });
});

describe('a node without a built explorer', () => {
  it('reports it, and how to build it', async () => {
    const bare = await startTestNetwork(['alice']);
    try {
      const response = await fetch(`${bare.node.url}/ui/default/messages`);
      expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(await response.text()).toContain('npm run build');
    } finally {
      await bare.stop();
    }
  });
});

async function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}

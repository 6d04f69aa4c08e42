import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../../../support/node.js';

let network: TestNetwork;
beforeAll(async () => {
  network = await startTestNetwork(['alice']);
});
afterAll(() => network.stop());

describe('the description of one namespace', () => {
  test.each(['openapi.json', 'swagger.json', 'openapi.yaml', 'swagger.yaml'])(
    'is there as %s, with the paths of the namespace alone',
    async (name) => {
      const { url } = network.node;
      const reply = await fetch(`${url}/api/v1/namespaces/default/api/${name}`);
      expect(reply.headers.get('content-type')).toContain(`application/${name.split('.')[1]}`);
      const described: unknown = JSON.parse(await reply.text());
      const paths = Object.keys(Object(Object(described)['paths']));
      expect(paths).toContain('/api/v1/namespaces/default/broadcast/message');
      expect(paths.filter((path) => !path.includes('/namespaces/default'))).toEqual([]);
      expect((await fetch(`${url}/api/${name}`)).status).toBe(200);
    },
  );

  test('is a page, too, and does not exist for an unknown namespace', async () => {
    const { url } = network.node;
    const page = await fetch(`${url}/api/v1/namespaces/default/api`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect((await fetch(`${url}/api/v1/api/openapi.json`)).status).toBe(200);
    for (const path of ['api', 'api/openapi.json']) {
      const reply = await fetch(`${url}/api/v1/namespaces/nowhere/${path}`);
      expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('FF10436')]);
    }
  });
});

test.each(['/api', '/api/', '/api/v1/api', '/api/v1/namespaces/default/api/'])(
  'the links of the page are relative to it, since a proxy may serve the node below a path: %s',
  async (path) => {
    const { url } = network.node;
    const page = await (await fetch(url + path)).text();
    const proxied = new URL(/<base href="(.*?)">/.exec(page)?.[1] ?? '', `http://proxy/alice${path}`);
    const links = [...page.matchAll(/<a href="(.*?)">/g)].map(([, link = '']) => new URL(link, proxied).pathname);
    expect(links.some((link) => link.endsWith('/api/openapi.json'))).toBe(true);
    const served = links.map(async (link) => (await fetch(url + link.replace(/^\/alice\//, '/'))).status);
    expect([links.filter((link) => !link.startsWith('/alice/')), new Set(await Promise.all(served))]).toEqual([
      [],
      new Set([200]),
    ]);
  },
);

test('the page, too, names the required members of a body', async () => {
  const page = await (await fetch(`${network.node.url}/api`)).text();
  const [, pools = ''] = page.split('<code>/api/v1/namespaces/{ns}/tokens/pools</code></h2>');
  const body = pools.slice(0, pools.indexOf('</pre>'));
  for (const member of ['"name":', '"type":', '"symbol"?:']) expect(body).toContain(member);
});

/** Returns the descriptions of the properties with this name, at any depth. */
function descriptionsOf(part: unknown, property: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]: [string, unknown]) => [
    ...(name === property ? [String(Object(inner)['description'])] : []),
    ...descriptionsOf(inner, property),
  ]);
}

test.each([
  ['components/schemas/Message', 'hash', /without "topic"/],
  ['components/schemas/Message', 'state', /none.*stays confirmed.*receiver rejects/],
  ['paths/groups/get', 'hash', /namespace, name and members/],
  ['paths/tokens~transfers/post/requestBody', 'amount', /whole number.*no fractions/],
  ['paths/subscriptions/post/requestBody', 'options', /readAhead \(n allows one event more in hand\)/],
  ['paths/broadcast~datatype/post/requestBody', 'name', /1 to 64 of A-Z a-z 0-9/],
  ['components/schemas/BroadcastRequest', 'tag', /1 to 64 of A-Z a-z 0-9/],
])('the description says below %s of %s what its type does not', async (place, property, said) => {
  const read = async (path: string): Promise<unknown> => (await fetch(`${network.node.url}${path}`)).json();
  let part = await read('/api/openapi.json');
  for (const [index, step] of place.split('/').entries()) {
    const name = place.startsWith('paths/') && index === 1 ? `/api/v1/namespaces/{ns}/${step.replace('~', '/')}` : step;
    part = Object(part)[name];
  }
  expect(descriptionsOf(part, property).filter((text) => said.test(text))).not.toEqual([]);
});

test('the description of a network with a profile has the status codes of its nodes', async () => {
  const migrated = await startTestNetwork(['alice'], { profile: 'firefly' });
  onTestFinished(() => migrated.stop());
  const { url } = migrated.node;
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly post?: { readonly responses: object } }>>;
  };
  const { status } = await fetch(`${url}/api/v1/namespaces/default/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"value":1}',
  });
  expect(Object.keys(paths['/api/v1/namespaces/{ns}/data']?.post?.responses ?? {})).toContain(String(status));
  const [, uploads = ''] = (await (await fetch(`${url}/api`)).text()).split(
    '</b> <code>/api/v1/namespaces/{ns}/data</code>',
  );
  expect(uploads.slice(0, uploads.indexOf('</section>'))).toContain(`<summary>${status} `);
});

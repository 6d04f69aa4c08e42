import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';

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

  test('is a page, too, and there is none of a namespace that is not', async () => {
    const { url } = network.node;
    const page = await fetch(`${url}/api/v1/namespaces/default/api`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(await page.text()).toContain('/api/v1/namespaces/default/api/openapi.json');
    expect((await fetch(`${url}/api/v1/api/openapi.json`)).status).toBe(200);
    for (const path of ['api', 'api/openapi.json']) {
      const reply = await fetch(`${url}/api/v1/namespaces/nowhere/${path}`);
      expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('FF10436')]);
    }
  });
});

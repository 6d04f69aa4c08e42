import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/schema/json.js';
import { valueOf } from '../../../src/wire/json/json.js';
import { absolutePaths, type Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';
import { examples } from '../../support/examples/all.js';
import { touchLocation } from '../../support/examples/contract-scene.js';
import { answerRequests, setScene } from '../../support/examples/scene.js';
import { startTestNetwork, type TestNetwork } from '../../support/node.js';
import { stockClient } from '../../support/stock-client.js';
import { acceptedBodies, bell, bodiesOfApi, type Named } from './accepted-bodies.js';
import { faultsOf, type SentBody } from './described-bodies.js';

/** Checks the documents of a node against its refusals: which members a body must have. */

const rows = Object.entries<Route>(routes).filter(([, { body }]) => body !== undefined);
const location: unknown = valueOf(touchLocation);
const single = 'single';

describe.each([undefined, 'firefly'] as const)('in a network of the profile %s', (profile) => {
  let network: TestNetwork;
  let client: ReturnType<typeof stockClient>;
  let named: Named;
  let document: JsonObject;
  const ended = new AbortController();

  beforeAll(async () => {
    network = await startTestNetwork(['alice', 'bob'], { profile, namespaces: ['default', single] });
    client = stockClient(network.node.url);
    const scene = await setScene(network);
    await answerRequests(network.nodes[1]?.url ?? '', ended.signal);
    const { body: its } = await client.post('contracts/interfaces', bell);
    named = { scene, profile, single, bell: String(its['id']) };
    await client.post('apis', { name: 'bell-here', interface: { id: its['id'] }, location });
    await client.post('apis', { name: 'bell-anywhere', interface: { id: its['id'] } });
    await stockClient(network.node.url, single).post('tokens/pools?confirm=true', { name: 'only', type: 'fungible' });
    document = (await client.get('/api/openapi.json')).body;
  }, 60_000);
  afterAll(async () => {
    ended.abort();
    expect(network.nodes.flatMap(({ fatal }) => fatal)).toEqual([]);
    await network.stop();
  });

  function faultsAt(described: JsonObject, path: string, method: string, bodies: () => readonly SentBody[]) {
    const operation = Object(Object(Object(described['paths'])[path])[method]);
    const schema: unknown = operation.requestBody.content['application/json'].schema;
    const send = async ({ body, parameters = {} }: SentBody) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'default');
      const { status, body: answer } = await client.ask(method.toUpperCase(), filled, body);
      const text = `${status} ${JSON.stringify(answer)}`.slice(0, 200);
      expect([200, 201, 202, 400], text).toContain(status);
      // The contracts of a memory ledger have no values with which to answer a query.
      return { isAccepted: status < 300 || text.includes('FF10111'), text };
    };
    return faultsOf({ document: described, schema, bodies, send });
  }

  test.each(rows)('the body of %s must have what the document says, and no more', async (name, route) => {
    const [path = ''] = absolutePaths(route.path);
    const example = Object.entries(examples).find(([each]) => each === name)?.[1];
    const bodies = (): readonly SentBody[] => {
      const { body = '{}', parameters } = example ?? {};
      const own = { body: Object(JSON.parse(typeof body === 'function' ? body() : body)) };
      const more = Object.entries(acceptedBodies(named)).find(([each]) => each === name)?.[1] ?? [];
      return [own, ...more].map((each) => ({ parameters: parameters?.(named.scene) ?? {}, ...each }));
    };
    expect(await faultsAt(document, path, route.method, bodies)).toEqual([]);
  });

  test.each([
    ['bell-here', {}],
    ['bell-anywhere', { location }],
  ])('so must the bodies of what the contract API %s offers', async (api, at) => {
    const { body: described } = await client.get(`apis/${api}/api/openapi.json`);
    const tried: string[] = [];
    for (const [path, methods] of Object.entries(Object(described['paths']))) {
      const { operationId, requestBody } = Object(Object(methods).post);
      if (requestBody === undefined) continue;
      tried.push(operationId);
      const bodies = () => bodiesOfApi(named, at)[operationId] ?? [];
      expect([operationId, await faultsAt(described, path, 'post', bodies)]).toEqual([operationId, []]);
    }
    expect(tried.sort()).toEqual(Object.keys(bodiesOfApi(named, at)).sort());
  });
});

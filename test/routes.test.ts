import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { write } from '../src/wire/json/json.js';
import { read } from '../src/wire/json/json-reader.js';
import { absolutePaths, replySchemaOf, type Route } from '../src/wire/route.js';
import { routes } from '../src/wire/routes.js';
import { examples } from './support/examples/all.js';
import type { Scene } from './support/examples/example.js';
import { answerRequests, listenToRejections, setScene } from './support/examples/scene.js';
import { startTestNetwork, type TestNetwork } from './support/node.js';

let network: TestNetwork;
let scene: Scene;
const ended = new AbortController();

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  scene = await setScene(network);
  await answerRequests(network.nodes[1]?.url ?? '', ended.signal);
  await listenToRejections(network.node.url, ended.signal);
});
afterAll(() => {
  ended.abort();
  return network.stop();
});

describe.each(Object.entries<Route>(routes))('%s', (name, route) => {
  const example = Object.entries(examples).find(([each]) => each === name)?.[1];

  it('passes through the real client and the real server and back', async () => {
    if (example === undefined) throw new Error(`There is no example for ${name}.`);
    const answer = await example.call(scene);
    expect(answer.status).toBe(route.status);
    const shown = example.shows(scene);
    if (typeof answer.value === 'object' && answer.value !== null) expect(answer.value).toMatchObject(Object(shown));
    else expect(answer.value).toEqual(route.status === 204 ? null : shown);
  });

  it('has exactly the fields of its schema in its response', async () => {
    const answer = await example?.call(scene);
    const schema = replySchemaOf(route);
    if (route.status === 204) {
      expect(answer?.text).toBe('');
      return;
    }
    if (route.isBinary === true) {
      expect(answer?.value).toBe(answer?.text);
      return;
    }
    expect(read(answer?.text ?? '', schema).unknown).toEqual([]);
    expect(write(schema, answer?.value)).toBe(answer?.text);
  });

  it('is served under each of its paths', async () => {
    for (const path of [route.path, ...(route.also ?? [])].flatMap(absolutePaths)) {
      // Created for each path, because a call may change the records that it uses.
      const parameters = { ns: 'default', ...example?.parameters?.(scene) };
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_, parameter: string) => Object.entries(parameters).find(([each]) => each === parameter)?.[1] ?? '',
      );
      const answer = await scene.client.exchange({
        method: route.method.toUpperCase(),
        path: filled,
        body: typeof example?.body === 'function' ? example.body() : example?.body,
      });
      expect([filled, answer.status]).toEqual([filled, route.status]);
    }
  });
});

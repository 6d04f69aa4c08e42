import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient } from '../src/client/client.js';
import { openSocket } from '../src/cli/open-socket.js';
import { watchMessages } from '../src/client/wait.js';
import { write } from '../src/wire/json.js';
import { compact, read } from '../src/wire/json-reader.js';
import { absolutePaths, replySchemaOf, type Route } from '../src/wire/route.js';
import { type RouteName, routes } from '../src/wire/routes.js';
import { startTestNetwork, type TestNetwork } from './support/node.js';

/** What an example may stand on: a confirmed message of the node that is asked. */
interface Scene {
  readonly client: Client;
  readonly msgid: string;
}

interface Example {
  readonly call: (scene: Scene) => Promise<Answer<unknown>>;
  /** What the answer must show, beside its shape. */
  readonly shows: (scene: Scene) => unknown;
  /** Values of the parameters of the path. */
  readonly parameters: (scene: Scene) => Readonly<Record<string, string>>;
  readonly body?: string;
}

const value = compact('{"price": 1.50, "b": 12345678901234567890, "a": "\\u0041"}');
const request = `{"header":{"tag":"order","topics":["orders"]},"data":[{"value":${value}}]}`;
const none = () => ({});
const ofMessage = ({ msgid }: Scene) => ({ msgid });

/** One example for every row of the table: a row without one does not compile. */
const examples: Readonly<Record<RouteName, Example>> = {
  broadcastMessage: {
    call: ({ client }) =>
      client.broadcastMessage({ body: { header: { tag: 'order', topics: ['orders'] }, data: [{ value }] } }),
    shows: () => ({ header: { type: 'broadcast', tag: 'order', topics: ['orders'] }, state: 'ready' }),
    parameters: none,
    body: request,
  },
  listMessages: {
    call: ({ client }) => client.listMessages({ query: { pending: false, data: true, limit: 1 } }),
    shows: () => [{ state: 'confirmed', data: [{ value }] }],
    parameters: none,
  },
  getMessage: {
    call: ({ client, msgid }) => client.getMessage({ path: { msgid }, query: { data: true } }),
    shows: ({ msgid }) => ({ header: { id: msgid }, state: 'confirmed', data: [{ validator: 'json', value }] }),
    parameters: ofMessage,
  },
  getMessageData: {
    call: ({ client, msgid }) => client.getMessageData({ path: { msgid } }),
    shows: () => [{ validator: 'json', namespace: 'default', value }],
    parameters: ofMessage,
  },
  getStatus: {
    call: ({ client }) => client.getStatus(),
    shows: () => ({ org: { name: 'alice', registered: true }, multiparty: { enabled: true } }),
    parameters: none,
  },
};

let network: TestNetwork;
let scene: Scene;

beforeAll(async () => {
  network = await startTestNetwork(['alice', 'bob']);
  const client = createClient({ url: network.node.url });
  const watch = watchMessages({ client, openSocket });
  const { value: sent } = await client.broadcastMessage({ body: { data: [{ value }] } });
  await watch.decided(sent.header.id, AbortSignal.timeout(20_000));
  watch.close();
  scene = { client, msgid: sent.header.id };
});
afterAll(() => network.stop());

describe.each(Object.entries<Route>(routes))('%s', (name, route) => {
  const example = Object.entries(examples).find(([each]) => each === name)?.[1];

  it('goes through the real client and the real server and comes back', async () => {
    if (example === undefined) throw new Error(`There is no example for ${name}.`);
    const answer = await example.call(scene);
    expect(answer.status).toBe(route.status);
    expect(answer.value).toMatchObject(example.shows(scene) as object);
  });

  it('answers exactly what its schema names', async () => {
    const answer = await example?.call(scene);
    const schema = replySchemaOf(route);
    expect(read(answer?.text ?? '', schema).unknown).toEqual([]);
    expect(write(schema, answer?.value)).toBe(answer?.text);
  });

  it('is there under each of its paths', async () => {
    const parameters = { ns: 'default', ...example?.parameters(scene) };
    for (const path of [route.path, ...(route.also ?? [])].flatMap(absolutePaths)) {
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_, parameter: string) => Object.entries(parameters).find(([each]) => each === parameter)?.[1] ?? '',
      );
      const answer = await scene.client.exchange({
        method: route.method.toUpperCase(),
        path: filled,
        body: example?.body,
      });
      expect([filled, answer.status]).toEqual([filled, route.status]);
    }
  });
});

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { given } from '../../../src/wire/given.js';
import { rawMark } from '../../../src/wire/json/raw-mark.js';
import type { Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';
import { oneNode } from '../../support/one-node.js';

/** Bodies, paths and names as stock clients write them. */

const node = oneNode();
async function ask(path: string, body?: string, method = body === undefined ? 'GET' : 'POST') {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(node().url + path, { method, headers, ...(body !== undefined && { body }) });
  const value: unknown = JSON.parse((await response.text()) || 'null');
  return { status: response.status, value };
}
const ns = '/api/v1/namespaces/default';

type Schema = NonNullable<Route['body']>;

/** Yields every object of a body, at any depth. */
function* objectsOf(schema: Schema): Generator<Schema> {
  const forms: readonly Schema[] = schema.anyOf ?? [schema];
  for (const form of forms.filter((each) => each[rawMark] === undefined)) {
    if (form.items !== undefined) yield* objectsOf(form.items);
    const members: readonly Schema[] = Object.values(form.properties ?? {});
    if (form.properties !== undefined) yield form;
    for (const member of members) yield* objectsOf(member);
  }
}

const bodies = Object.entries<Route>(routes)
  .map(([name, { body }]) => [name, body === undefined ? [] : [...objectsOf(body)]] as const)
  .filter(([, objects]) => objects.length > 0);

test.each(bodies)(
  '%s accepts null in place of every optional member, at any depth, as if it were absent',
  (_, objects) => {
    for (const schema of objects) {
      const required: readonly string[] = schema.required ?? [];
      const members = Object.entries<Schema>(schema.properties).filter(([name]) => !required.includes(name));
      const nulls = members.map(([name, its]) => [name, its[rawMark] === undefined ? null : 'null'] as const);
      const left = Object.keys(Object(given(Object.fromEntries(nulls), schema)));
      // A null that is sent as a value stays.
      expect(left.filter((name) => name !== 'value' && !required.includes(name))).toEqual([]);
    }
  },
);

test.each([
  [
    'messages/private',
    '{"header":{"id":null,"cid":null,"type":null,"txtype":null,"author":null,"key":null,"topics":null,"tag":null,' +
      '"group":null,"txparent":null},"group":{"name":null,"hash":null,"members":[{"identity":"alice","node":null}]},' +
      '"data":[{"id":null,"hash":null,"validator":null,"datatype":null,"value":1,"blob":null}],"idempotencyKey":null}',
    202,
  ],
  ['messages/broadcast', '{"header":null,"group":null,"data":[{"value":null,"blob":null}]}', 202],
  [
    'contracts/invoke',
    `{"location":{"address":"0x${'ab'.repeat(20)}"},"method":{"name":"get","params":null,"returns":null,` +
      '"details":null},"input":{},"options":{"gas":null,"gasPrice":null,"value":null},"errors":[{"name":"Bad",' +
      '"params":null}]}',
    202,
  ],
  [
    'contracts/interfaces',
    '{"name":"go","version":"1","methods":[{"name":"get","params":null,"returns":null}],"errors":null,' +
      '"events":[{"name":"Changed","params":null}]}',
    202,
  ],
  ['contracts/interfaces', '{"name":"brief","version":"1","methods":[{"name":"get"}],"events":[{"name":"E"}]}', 202],
  [
    'subscriptions',
    '{"name":"hollow","transport":"websockets","filter":{"events":null,"message":{"tag":null},"transaction":null},' +
      '"options":{"firstEvent":null,"url":null,"retry":null}}',
    201,
  ],
])('%s takes the nulls in what is a text of its own: %s', async (path, body, status) => {
  expect(await ask(`${ns}/${path}`, body)).toMatchObject({ status });
});

test('a call may have null as its input and options', async () => {
  const address = `0x${'ab'.repeat(20)}`;
  const method = '{"name":"get","pathname":"","description":"","params":[],"returns":[],"details":null}';
  const body = `{"location":{"address":"${address}"},"method":${method},"input":null,"options":null,"message":null}`;
  const { status, value } = await ask(`${ns}/contracts/invoke`, body);
  expect({ status, value }).toMatchObject({ status: 202, value: { type: 'blockchain_invoke' } });
});

test('a subscription may have null as its filter and options', async () => {
  const body = '{"name":"blank","transport":"websockets","filter":null,"options":null,"ephemeral":null}';
  expect(await ask(`${ns}/subscriptions`, body)).toMatchObject({ status: 201, value: { name: 'blank' } });
});

test('a subscription may have empty texts as its options, which have no effect', async () => {
  const options = { firstEvent: '', readAhead: '', batch: '', batchTimeout: '' };
  const body = JSON.stringify({ name: 'empty', transport: 'websockets', options });
  const { status, value } = await ask(`${ns}/subscriptions`, body);
  const asWithout = { firstEventGiven: 'newest', readAhead: 0 };
  expect({ status, value }).toMatchObject({ status: 201, value: { options: asWithout } });
});

test('a contract API may have a name like an id, and is found by it', async () => {
  const name = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
  const made = await ask(`${ns}/contracts/interfaces?publish=true&confirm=true`, '{"name":"any","version":"1"}');
  expect(made.status).toBe(200);
  const api = JSON.stringify({ name, interface: { name: 'any', version: '1' } });
  expect(await ask(`${ns}/apis?publish=true&confirm=true`, api)).toMatchObject({ status: 200, value: { name } });
  expect(await ask(`${ns}/apis/${name}`)).toMatchObject({ status: 200, value: { name, published: true } });
});

test('an unknown namespace has the error code that clients recognise', async () => {
  expect(await ask('/api/v1/namespaces/nowhere/status')).toMatchObject({
    status: 404,
    value: { error: expect.stringMatching(/^FF10436: /) },
  });
});

test('consecutive slashes count as one, in a path and in the path of a socket', async () => {
  expect(await ask('//api/v1//namespaces/default///status?x=//')).toMatchObject({ status: 200 });
  expect((await fetch(`${node().url}//api`)).status).toBe(200);
  const data = await ask('/api/v1//data', '{"value":"a//b"}');
  expect(data).toMatchObject({ status: 200, value: { value: 'a//b' } });
  const socket = new WebSocket(`${node().ws}//ws?namespace=default&ephemeral`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.close();
});

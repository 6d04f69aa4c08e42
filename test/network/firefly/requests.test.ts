import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ServiceError } from '../../../src/wire/error.js';
import { assertConforms, check } from '../../../src/wire/check.js';
import { given } from '../../../src/wire/given.js';
import { read } from '../../../src/wire/json-reader.js';
import { rawMark } from '../../../src/wire/raw-mark.js';
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

/** Returns the optional members of every schema in a body, each as null. */
function nulls(schema: NonNullable<Route['body']>): Record<string, unknown> {
  const required: string[] = schema.required ?? [];
  const members = Object.entries<NonNullable<Route['body']>>(schema.properties ?? {});
  return Object.fromEntries(
    members.flatMap(([name, member]): [string, unknown][] => {
      if (!required.includes(name)) return [[name, null]];
      return member.type === 'object' && member[rawMark] === undefined ? [[name, nulls(member)]] : [];
    }),
  );
}

test.each(Object.entries<Route>(routes).filter(([, { body }]) => body !== undefined))(
  '%s takes null in place of every optional member for its absence',
  (_, { body }) => {
    if (body === undefined) return;
    const { value } = read(JSON.stringify(nulls(body)), body);
    const taken = given(value, body);
    const isNull = (each: unknown) => each === null || each === 'null';
    const left = Object.entries(taken instanceof Object ? taken : {}).filter(([, each]) => isNull(each));
    // A null that somebody sends as a value is one, and so is one that a schema names.
    const meant = left.filter(([name, each]) => name === 'value' || check(body.properties[name], each));
    expect(left).toEqual(meant);
    try {
      assertConforms(body, taken, 'the body');
    } catch (error) {
      expect(error).toMatchObject({ reason: 'field_required' });
      expect(error).toBeInstanceOf(ServiceError);
    }
  },
);

test('a call may leave its input and options as null', async () => {
  const address = `0x${'ab'.repeat(20)}`;
  const method = '{"name":"get","pathname":"","description":"","params":[],"returns":[],"details":null}';
  const body = `{"location":{"address":"${address}"},"method":${method},"input":null,"options":null,"message":null}`;
  const { status, value } = await ask(`${ns}/contracts/invoke`, body);
  expect({ status, value }).toMatchObject({ status: 202, value: { type: 'blockchain_invoke' } });
});

test('a subscription may leave its filter and options as null', async () => {
  const body = '{"name":"blank","transport":"websockets","filter":null,"options":null,"ephemeral":null}';
  expect(await ask(`${ns}/subscriptions`, body)).toMatchObject({ status: 201, value: { name: 'blank' } });
});

test('a contract API may have a name like an id, and is found by it', async () => {
  const name = '3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11';
  const made = await ask(`${ns}/contracts/interfaces?publish=true&confirm=true`, '{"name":"any","version":"1"}');
  expect(made.status).toBe(200);
  const api = JSON.stringify({ name, interface: { name: 'any', version: '1' } });
  expect(await ask(`${ns}/apis?publish=true&confirm=true`, api)).toMatchObject({ status: 200, value: { name } });
  expect(await ask(`${ns}/apis/${name}`)).toMatchObject({ status: 200, value: { name, published: true } });
});

test('a namespace that is not there has the code by which clients know it', async () => {
  expect(await ask('/api/v1/namespaces/nowhere/status')).toMatchObject({
    status: 404,
    value: { error: expect.stringMatching(/^FF10436: /) },
  });
});

test('slashes that follow each other are one, in a path and in the path of a socket', async () => {
  expect(await ask('//api/v1//namespaces/default///status?x=//')).toMatchObject({ status: 200 });
  expect((await fetch(`${node().url}//api`)).status).toBe(200);
  const data = await ask('/api/v1//data', '{"value":"a//b"}');
  expect(data).toMatchObject({ status: 200, value: { value: 'a//b' } });
  const socket = new WebSocket(`${node().ws}//ws?namespace=default&ephemeral`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.close();
});

import { describe, expect, it } from 'vitest';
import { textOf, valueOf } from '../../../src/wire/json/json.js';
import type { JsonText } from '../../../src/wire/scalar.js';
import { type Client, createClient } from '../../../src/client/client.js';
import { oneNode } from '../../support/one-node.js';

const node = oneNode();
const client = (): Client => createClient({ url: node().url });

const uint = (name: string) => ({ name, schema: { type: 'integer', details: { type: 'uint256' } } });
const touch = { name: 'touch', params: [uint('count')], returns: [] };
const location = { address: `0x${'7'.repeat(40)}` };
const unknownId = '00000000-0000-4000-8000-000000000001';

/** Returns status and code of an answer, and its body. */
async function ask(method: string, path: string, body?: unknown) {
  const { status, text } = await client().exchange({
    method,
    path,
    body: body === undefined ? undefined : textOf(body),
  });
  const code = /"(?:error)":"(\w+)/.exec(text)?.[1];
  const value: Record<string, unknown> = text === '' ? {} : Object(valueOf(text as JsonText)); // the node writes JSON
  return { status, code, value };
}

let versions = 0;
async function anInterface(query = '', more: object = {}) {
  const body = { name: 'touch', version: `1.${(versions += 1)}`, methods: [touch], events: [], errors: [], ...more };
  const { value } = await ask('POST', `contracts/interfaces${query}`, body);
  return { id: String(value['id']), name: String(value['name']), version: String(value['version']) };
}

async function anApi(name: string, query = '', more: object = {}) {
  const { id } = await anInterface(query);
  return ask('POST', `apis${query}`, { name, interface: { id }, location, ...more });
}

describe('an interface', () => {
  it('is available at once if it is local, with an event', async () => {
    const { id } = await anInterface();
    expect((await ask('GET', `contracts/interfaces/${id}?fetchchildren`)).value).toMatchObject({
      published: false,
      methods: [{ pathname: 'touch', params: [uint('count')] }],
    });
    const { value: events } = await client().listEvents({ query: { reference: id, fetchreferences: true } });
    expect(events).toMatchObject([{ type: 'contract_interface_confirmed', contractInterface: { id } }]);
  });

  it('has a unique name and version, locally and in the network', async () => {
    const { name, version } = await anInterface('?publish&confirm');
    const again = { name, version, methods: [] };
    expect(await ask('POST', 'contracts/interfaces', again)).toMatchObject({ status: 409, code: 'FF10302' });
    const other = await anInterface('', { version: `${version}-b` });
    expect(other.name).toBe(name);
    const renamed = { ...again, name: 'other', networkName: name };
    expect(await ask('POST', 'contracts/interfaces?publish', renamed)).toMatchObject({ status: 409, code: 'FF10448' });
  });

  it('is published later, under another name, and then stays', async () => {
    const { id, name, version } = await anInterface();
    const path = `contracts/interfaces/${name}/${version}/publish`;
    const { status, value } = await ask('POST', `${path}?confirm`, { networkName: 'shared-touch' });
    expect([status, value]).toMatchObject([200, { id, name, networkName: 'shared-touch', published: true }]);
    expect(await ask('POST', path, {})).toMatchObject({ status: 409, code: 'FF10450' });
    expect(await ask('DELETE', `contracts/interfaces/${id}`)).toMatchObject({ status: 409, code: 'FF10449' });
  });

  it('is not deleted while a local API needs it', async () => {
    const { id } = await anInterface();
    const path = `contracts/interfaces/${id}`;
    expect(await anApi('needs', '', { interface: { id } })).toMatchObject({ status: 202 });
    expect(await ask('DELETE', path)).toMatchObject({ status: 409, code: 'PY1305' });
    expect(await ask('DELETE', 'apis/needs')).toMatchObject({ status: 204 });
    expect(await ask('DELETE', path)).toMatchObject({ status: 204 });
  });

  it('is published once for an idempotency key, which belongs to its namespace', async () => {
    const { name, version } = await anInterface();
    const path = `contracts/interfaces/${name}/${version}/publish`;
    const long = { idempotencyKey: 'x'.repeat(257) };
    expect(await ask('POST', path, long)).toMatchObject({ status: 400, code: 'FF00135' });
    const idempotencyKey = 'publish-touch';
    const body = { networkName: 'keyed-touch', idempotencyKey };
    const { value } = await ask('POST', `${path}?confirm`, body);
    expect(await ask('POST', path, body)).toMatchObject({ status: 409, code: 'FF10430' });
    const message = { idempotencyKey, data: [{ value: 1 }] };
    expect(await ask('POST', 'messages/broadcast', message)).toMatchObject({ status: 409, code: 'FF10430' });
    const shown = await ask('GET', `messages/${String(value['message'])}`);
    expect(shown.value).toMatchObject({ idempotencyKey });
    for (const filter of ['publish-touch', '^publish-', ':PUBLISH-touch', 'other&idempotencykey=publish-touch']) {
      const { value: found } = await ask('GET', `messages?idempotencykey=${filter}`);
      expect([filter, found]).toMatchObject([filter, [{ idempotencyKey }]]);
    }
    expect((await ask('GET', 'messages?idempotencykey=publish-touc&count')).value).toMatchObject({ total: 0 });
  });

  it('that does not exist is reported as missing', async () => {
    expect(await ask('POST', 'contracts/interfaces/no/1/publish', {})).toMatchObject({ status: 404, code: 'FF10303' });
    expect(await ask('DELETE', `contracts/interfaces/${unknownId}`)).toMatchObject({ status: 404, code: 'FF10303' });
    expect(await ask('DELETE', 'contracts/interfaces/touch')).toMatchObject({ status: 400, code: 'FF00138' });
  });

  it.each([
    ['a name that is none', { name: 'a b' }, 'FF00140'],
    ['a name of the system', { name: 'svc_touch' }, 'PY1105'],
    ['a version that looks like an id', { version: unknownId }, 'FF00141'],
    ['a method without a name', { methods: [{ ...touch, name: '' }] }, 'FF10320'],
    [
      'a schema without a type of Solidity',
      { methods: [{ ...touch, params: [{ name: 'x', schema: {} }] }] },
      'FF10332',
    ],
  ])('is refused for %s', async (_, fault, code) => {
    const body = { name: 'touch', version: 'x', methods: [touch], ...fault };
    expect(await ask('POST', 'contracts/interfaces', body)).toMatchObject({ status: 400, code });
  });

  it('is generated only from an ABI', async () => {
    expect(await ask('POST', 'contracts/interfaces/generate', { input: {} })).toMatchObject({ code: 'FF00112' });
    expect(await ask('POST', 'contracts/interfaces/generate', { input: { abi: {} } })).toMatchObject({
      code: 'FF10346',
    });
  });
});

describe('a contract API', () => {
  it('requires a unique name, an existing interface and a valid location', async () => {
    await anApi('once');
    expect(await anApi('once')).toMatchObject({ status: 409, code: 'FF10447' });
    expect(await anApi('other', '', { interface: { id: unknownId } })).toMatchObject({ status: 404, code: 'FF10303' });
    expect(await anApi('other', '', { interface: {} })).toMatchObject({ status: 400, code: 'FF00112' });
    expect(await anApi('other', '', { location: { address: '0x' } })).toMatchObject({ status: 400, code: 'FF10310' });
  });

  it('is published only with its interface', async () => {
    await anApi('lonely');
    expect(await ask('POST', 'apis/lonely/publish', {})).toMatchObject({ status: 409, code: 'FF10451' });
  });

  it('is published once, and then keeps its name', async () => {
    const { value } = await anApi('shared', '?publish&confirm');
    expect(value).toMatchObject({ name: 'shared', networkName: 'shared', published: true });
    expect(await ask('POST', 'apis/shared/publish', {})).toMatchObject({ status: 409, code: 'FF10450' });
    expect(await ask('DELETE', 'apis/shared')).toMatchObject({ status: 409, code: 'FF10449' });
    const change = { name: 'renamed', interface: value['interface'] };
    expect(await ask('PUT', `apis/${String(value['id'])}`, change)).toMatchObject({ status: 409, code: 'FF10449' });
  });

  it('can change its name and interface while it is local, and never its location', async () => {
    const { value } = await anApi('before');
    const its = { id: (await anInterface()).id };
    const path = `apis/${String(value['id'])}`;
    const changed = await ask('PUT', path, { name: 'after', interface: its, location });
    expect(changed).toMatchObject({ status: 202, value: { id: value['id'], name: 'after', interface: its } });
    const elsewhere = { name: 'after', interface: its, location: { address: `0x${'8'.repeat(40)}` } };
    expect(await ask('PUT', path, elsewhere)).toMatchObject({ status: 400, code: 'FF10316' });
    expect(await ask('GET', 'apis/before')).toMatchObject({ status: 404, code: 'FF10109' });
    expect(await ask('DELETE', 'apis/after')).toMatchObject({ status: 204 });
  });

  it('has a page and a document of its methods, and an unknown one has not', async () => {
    await anApi('paged');
    const { status, value } = await ask('GET', '/api/v1/apis/paged/api/swagger.json');
    expect([status, value]).toMatchObject([200, { openapi: '3.1.0' }]);
    expect(value['paths']).toHaveProperty(['/api/v1/namespaces/default/apis/paged/invoke/touch', 'post']);
    const page = await (await fetch(`${node().url}/api/v1/namespaces/default/apis/paged/api`)).text();
    expect(page).toContain('apis/paged/query/touch');
    expect(page).toContain('<base href="./../../../../../../">');
    expect(page).toContain('<a href="api/v1/namespaces/default/apis/paged/api/openapi.json">');
    expect(await ask('GET', '/api/v1/apis/unpaged/api')).toMatchObject({ status: 404, code: 'FF10109' });
    expect(await ask('GET', '/api/v1/namespaces/no/apis/paged/api')).toMatchObject({ status: 404, code: 'FF10436' });
  });
});

describe('a call', () => {
  const call = { location, method: touch, input: { count: '1' } };

  it.each([
    ['no method', { method: undefined }, 'FF10313'],
    ['no location', { location: undefined }, 'FF10310'],
    ['an argument that is missing', { input: {} }, 'FF10304'],
    ['an argument that does not fit', { input: { count: -1 } }, 'FF10305'],
    ['an argument too many', { input: { count: 1, cuont: 1 } }, 'FF10306'],
    ['an option that is none', { options: { gasPrice: 1 } }, 'FF10311'],
    ['a key that is not held here', { key: `0x${'9'.repeat(40)}` }, 'FF10206'],
    ['an idempotency key without end', { idempotencyKey: 'x'.repeat(257) }, 'FF00135'],
    ['an error without a name', { errors: [{ name: '', params: [] }] }, 'FF10320'],
  ])('is refused for %s, and leaves nothing', async (_, fault, code) => {
    const { value: before } = await client().listOperations({ query: { type: 'blockchain_invoke' } });
    expect(await ask('POST', 'contracts/invoke', { ...call, ...fault })).toMatchObject({ status: 400, code });
    const { value: after } = await client().listOperations({ query: { type: 'blockchain_invoke' } });
    expect(after).toEqual(before);
  });

  it('of a method that its interface does not have is refused, with the nearest name', async () => {
    const { id } = await anInterface();
    const body = { location, interface: id, methodPath: 'tuoch', input: {} };
    expect(await ask('POST', 'contracts/invoke', body)).toMatchObject({ status: 400, code: 'FF10315' });
  });

  it('may be repeated without effect by its idempotency key', async () => {
    const body = { ...call, idempotencyKey: 'touch-once' };
    expect(await ask('POST', 'contracts/invoke?confirm', body)).toMatchObject({
      status: 200,
      value: { status: 'Succeeded' },
    });
    expect(await ask('POST', 'contracts/invoke', body)).toMatchObject({ status: 409, code: 'FF10431' });
  });

  it('is found by its idempotency key after its API was deleted', async () => {
    await anApi('gone');
    const body = { input: { count: 1 }, idempotencyKey: 'gone-once' };
    expect(await ask('POST', 'apis/gone/invoke/touch', body)).toMatchObject({ status: 202 });
    expect(await ask('DELETE', 'apis/gone')).toMatchObject({ status: 204 });
    expect(await ask('POST', 'apis/gone/invoke/touch', body)).toMatchObject({ status: 409, code: 'FF10431' });
    const other = { ...body, idempotencyKey: 'gone-twice' };
    expect(await ask('POST', 'apis/gone/invoke/touch', other)).toMatchObject({ status: 404, code: 'FF10109' });
  });

  it('is not possible in the namespace of the system', async () => {
    const path = '/api/v1/namespaces/svc_system/contracts/invoke';
    expect(await ask('POST', path, call)).toMatchObject({ status: 400, code: 'FF10415' });
  });
});

describe('a query', () => {
  it('of an address without a contract is refused with that reason', async () => {
    const method = { name: 'get', params: [], returns: [uint('')] };
    expect(await ask('POST', 'contracts/query', { location, method })).toMatchObject({ status: 400, code: 'FF10111' });
  });

  it.each([['contracts/query'], ['apis/asked/query/touch'], ['contracts/interfaces/{id}/query/touch']])(
    'at %s has no message and no idempotency key, and says that they are ignored',
    async (path) => {
      const { id } = await anInterface();
      await ask('POST', 'apis', { name: 'asked', interface: { id }, location });
      const named = path === 'contracts/query' ? { interface: id, methodPath: 'touch' } : {};
      const unread = { message: { data: [{ value: 1 }] }, idempotencyKey: 'once' };
      const response = await fetch(`${node().url}/api/v1/${path.replace('{id}', id)}`, {
        method: 'POST',
        body: textOf({ location, ...named, input: { count: '1' }, ...unread }),
        headers: { 'content-type': 'application/json' },
      });
      const ignored = response.headers.get('x-parley-ignored');
      expect([response.status, ignored]).toEqual([200, 'message, idempotencyKey']);
    },
  );
});

describe('a deployment', () => {
  it('returns the location of the contract', async () => {
    const { status, value } = await ask('POST', 'contracts/deploy?confirm', { contract: '6080' });
    const at = { contractLocation: { address: expect.stringMatching(/^0x[0-9a-f]{40}$/) } };
    expect([status, value]).toMatchObject([200, { status: 'Succeeded', output: at }]);
  });

  it.each([
    ['no code', {}, 'FF00112'],
    ['code that is none', { contract: '0xwhat' }, 'PY1011'],
    ['code in Base64', { contract: 'YIA=' }, 'PY1011'],
    ['arguments that are no array', { contract: '0x60', input: {} }, 'FF10305'],
    ['arguments that no constructor takes', { contract: '0x60', input: [1] }, 'FF10305'],
    ['an ABI that is none', { contract: '0x60', definition: {} }, 'FF10346'],
  ])('is refused for %s', async (_, body, code) => {
    expect(await ask('POST', 'contracts/deploy', body)).toMatchObject({ status: 400, code });
  });
});

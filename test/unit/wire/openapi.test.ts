import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/wire/openapi.js';
import { absolutePaths, type Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';

const document = openApiDocument(routes, { version: '1.2.3', serverUrl: 'http://127.0.0.1:16010' });

/** The member at a path of names. */
function at(...path: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of path) value = value instanceof Object ? Reflect.get(value, name) : undefined;
  return value;
}

const rows = Object.entries<Route>(routes);

describe('the OpenAPI document', () => {
  it('describes what the data alone does not show', () => {
    const text = JSON.stringify(document);
    for (const sentence of [
      'SHA-256 of the header as it is shown, compact, without \\"topic\\"',
      'SHA-256 of the compact namespace, name and members',
      'n allows one event more in hand',
      '1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first and last',
      'whole number of the smallest unit',
      "with txtype none the sender's stays confirmed when a receiver rejects the message",
    ]) {
      expect(text).toContain(sentence);
    }
  });

  it('names the grant that an operation needs', () => {
    for (const [, route] of rows) {
      const [path = ''] = absolutePaths(route.path);
      const description = at('paths', path, route.method, 'description');
      if (route.grant !== undefined) expect(description).toContain(`the grant "${route.grant}"`);
      else expect(description).toBe(route.granted);
    }
    expect(at('paths', '/api/v1/tokens/mint', 'post', 'description')).toContain('the grant "tokens"');
    expect(at('paths', '/api/v1/operations/{operationid}/retry', 'post', 'description')).toContain('the grant');
  });

  it('describes every route under each of its paths', () => {
    for (const [name, route] of rows) {
      const [primary, ...others] = [route.path, ...(route.also ?? [])].flatMap(absolutePaths);
      expect(at('paths', primary ?? '', route.method, 'operationId')).toBe(name);
      for (const path of others) expect(at('paths', path, route.method, 'x-alias-of')).toBe(name);
    }
  });

  it('has no two paths that differ only in the names of their parameters, which OpenAPI forbids', () => {
    const paths = Object.keys(Object(at('paths')));
    const templates = paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
    expect(templates).toEqual([...new Set(templates)]);
  });

  it('names each parameter of an operation once, since generated clients have one member for each name', () => {
    for (const [name, { path, method }] of rows) {
      const parameters = at('paths', absolutePaths(path)[0] ?? '', method, 'parameters');
      const names = Array.isArray(parameters) ? parameters.map((each) => String(Object(each).name).toLowerCase()) : [];
      expect([name, ...names]).toEqual([name, ...new Set(names)]);
    }
  });

  it('names each operation once', () => {
    const text = JSON.stringify(document);
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(ids.sort()).toEqual(rows.map(([name]) => name).sort());
  });

  it('names every parameter of a path, and the controls of a list', () => {
    const path = '/api/v1/namespaces/{ns}/messages/{msgid}';
    expect(at('paths', path, 'get', 'parameters')).toMatchObject([
      { name: 'ns', in: 'path', required: true },
      { name: 'msgid', in: 'path', required: true },
      { name: 'fetchdata', in: 'query', required: false },
      { name: 'data', in: 'query', required: false },
      { name: 'hash', in: 'query', required: false },
    ]);
    const list = JSON.stringify(at('paths', '/api/v1/messages', 'get', 'parameters'));
    expect(list).toMatch(/"topics".*"limit".*"skip".*"count".*"sort"/);
  });

  it('shows the reply of a list with and without a count', () => {
    const reply = at('paths', '/api/v1/messages', 'get', 'responses', '200', 'content', 'application/json', 'schema');
    const items = { type: 'array', items: { $ref: '#/components/schemas/Message' } };
    expect(reply).toMatchObject({ oneOf: [items, { properties: { items } }] });
  });

  it('shows the content types of files and forms, and none for an empty reply', () => {
    const content = (path: string, method: string, ...rest: string[]) =>
      Object.keys(Object(at('paths', `/api/v1/${path}`, method, ...rest, 'content')));
    expect(content('data/{dataid}/blob', 'get', 'responses', '200')).toEqual(['application/octet-stream']);
    expect(content('data', 'post', 'requestBody')).toEqual(['application/json', 'multipart/form-data']);
    expect(at('paths', '/api/v1/data/{dataid}', 'delete', 'responses', '204')).toEqual({ description: 'Success' });
  });

  it('shows members that are any JSON without a type, and no internal mark', () => {
    expect(at('components', 'schemas', 'Data', 'properties', 'value')).toEqual({
      description: 'any JSON; its text is kept',
    });
    expect(JSON.stringify(document)).not.toContain('x-raw');
  });

  it('refers only to schemas that it contains', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(0);
    for (const name of references) expect(at('components', 'schemas', name ?? '')).toBeDefined();
  });

  it('shows the error shape for every operation', () => {
    for (const [, route] of rows) {
      const [primary = ''] = absolutePaths(route.path);
      const schema = at(
        'paths',
        primary,
        route.method,
        'responses',
        'default',
        'content',
        'application/json',
        'schema',
      );
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
  });
});

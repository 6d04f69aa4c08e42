import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { absolutePaths, replySchemaOf, type Route } from '../../../src/wire/route.js';
import { routes } from '../../../src/wire/routes.js';

const rows = Object.entries<Route>(routes);

describe('the route table', () => {
  it('has each path once, with aliases', () => {
    const all = rows.flatMap(([, { method, path, also = [] }]) => [path, ...also].map((each) => `${method} ${each}`));
    expect(new Set(all).size).toBe(all.length);
  });

  it('has only paths below a namespace, except those of namespaces', () => {
    for (const [, { path }] of rows) expect(path).toMatch(/^[a-z{]|^\/api\/v1\/namespaces/);
  });

  it('has a body only with post, put and patch', () => {
    for (const [, { method, body }] of rows)
      expect(body === undefined || ['post', 'put', 'patch'].includes(method)).toBe(true);
  });
});

describe('a route', () => {
  it('is marked as signing if its body may name a key, unless it is a query', () => {
    const queries = ['queryContractInterface', 'queryContract', 'queryContractApi'];
    const naming = rows.filter(
      ([, { method, body }]) => method === 'post' && body !== undefined && mayName('key', body),
    );
    const without = naming.filter(([, { signs }]) => signs !== true).map(([name]) => name);
    expect(naming.length).toBeGreaterThan(5);
    expect(without).toEqual(queries);
  });

  it('has one path with a namespace and one for the default namespace', () => {
    expect(absolutePaths('messages/{msgid}')).toEqual([
      '/api/v1/namespaces/{ns}/messages/{msgid}',
      '/api/v1/messages/{msgid}',
    ]);
  });

  it('replies with an array if it is a list, else with one record', () => {
    expect(replySchemaOf(routes.listMessages)).toMatchObject({ type: 'array', items: routes.listMessages.reply });
    expect(replySchemaOf(routes.listMessages)).toBe(replySchemaOf(routes.listMessages));
    expect(replySchemaOf(routes.getMessage)).toBe(routes.getMessage.reply);
  });
});

/** Whether a schema has this property in one of its forms. */
function mayName(property: string, schema: TSchema): boolean {
  const forms: unknown = schema['anyOf'] ?? schema['allOf'] ?? [];
  if (Array.isArray(forms) && forms.some((form: TSchema) => mayName(property, form))) return true;
  const properties: unknown = schema['properties'];
  return properties instanceof Object && property in properties;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFor, replyTxtype, type WebhookContent } from '../../../../src/domain/events/webhook-request.js';
import { readWebhook } from '../../../../src/domain/events/webhook.js';
import { profileRulesOf } from '../../../../src/domain/network/profile.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { compact } from '../../../../src/wire/json/json-reader.js';

const event = '{"id":"e1"}';

function content(...values: readonly string[]): WebhookContent {
  return { id: 'e1', event, values: values.map(compact) };
}

function call(options: Record<string, unknown>, ...contents: readonly WebhookContent[]) {
  return callFor(
    readWebhook(textOf({ url: 'https://orders.example/hook', withData: options['batch'] !== true, ...options })),
    contents,
  );
}

describe('the body of a call', () => {
  it.each([
    [{}, [], event],
    [{ withData: false }, ['1'], event],
    [{}, ['"text"'], '"text"'],
    [{}, ['{"b":1.0,"a":1e2,"b":2}'], '{"b":1.0,"a":1e2,"b":2}'],
    [{}, ['1', '"two"'], '[1,"two"]'],
    [{ input: { body: 'p' } }, ['{"p":{"n":1.50},"q":2}', '3'], '{"n":1.50}'],
    [{ input: { body: 'p' } }, ['{"q":2}'], '{"q":2}'],
    [{ input: { body: 'p' } }, ['[1]'], '[1]'],
    [{ input: { body: 'p' }, withData: false }, ['{"q":2}'], event],
  ])('with %j of the values %j is %s', (options, values, body) => {
    expect(call(options, content(...values)).body).toBe(body);
  });

  it.each([
    [['"text"'], '{"value":"text"}'],
    [['[1]'], '{"value":[1]}'],
    [['{"n":1.50}'], '{"n":1.50}'],
    [['1', '"two"'], '[1,"two"]'],
    [[], event],
  ])('of the values %j is %s in a network with the profile firefly', (values, body) => {
    const settings = readWebhook(
      compact('{"url":"https://orders.example/hook","withData":true}'),
      profileRulesOf('firefly'),
    );
    expect(callFor(settings, [content(...values)]).body).toBe(body);
  });

  it('of a batch is an array, even of one event', () => {
    expect(call({ batch: true }, content('1')).body).toBe(`[${event}]`);
    expect(call({ batch: true, input: { body: 'p' } }, content('{"p":1}'), content('2')).body).toBe(`[1,${event}]`);
  });

  it.each(['GET', 'DELETE', 'HEAD'])('is absent for %s, and so is its type', (method) => {
    const { body, headers } = call({ method }, content('1'));
    expect(body).toBeUndefined();
    expect(headers).toEqual({ 'x-parley-event': 'e1' });
  });
});

describe('the headers of a call', () => {
  it('name the event, and JSON unless another type is given', () => {
    expect(call({}, content('1')).headers).toEqual({ 'content-type': 'application/json', 'x-parley-event': 'e1' });
    expect(call({ headers: { 'Content-Type': 'text/plain' } }, content('1')).headers['content-type']).toBe(
      'text/plain',
    );
  });

  it('may come from a message, but never override those of the owner or forbidden ones', () => {
    const value = textOf({
      h: { 'X-Order': 17, 'x-owner': 'mallory', Host: 'evil', Authorization: 'x', 'X-A': 'a\r\nHost: b', 'X-B': {} },
    });
    const headers = { 'X-Owner': 'alice' };
    expect(call({ headers, input: { headers: 'h' } }, content(value)).headers).toEqual({
      'content-type': 'application/json',
      'x-order': '17',
      'x-owner': 'alice',
      'x-parley-event': 'e1',
    });
  });
});

describe('the url of a call', () => {
  it("keeps the owner's settings, and adds those of the message", () => {
    const options = { url: 'https://orders.example/hook?key=k', query: { a: 'b' }, input: { query: 'q' } };
    const value = textOf({ q: { key: 'mallory', a: 'mallory', n: 1.5, t: 'x&y', flag: true, no: null } });
    expect(call(options, content(value)).url).toBe('https://orders.example/hook?key=k&a=b&n=1.5&t=x%26y&flag=true');
  });

  it.each([
    ['orders/17', '/hook/orders/17'],
    ['/orders//17/', '/hook/orders/17'],
    ['../../admin', '/hook/admin'],
    ['./a/../b', '/hook/a/b'],
    ['%2e%2e/admin', '/hook/%252e%252e/admin'],
    ['a?b=c#d', '/hook/a%3Fb%3Dc%23d'],
    ['//evil.example/a', '/hook/evil.example/a'],
    ['\\\\evil.example', '/hook/%5C%5Cevil.example'],
    ['a b', '/hook/a%20b'],
    ['', '/hook'],
  ])('goes below its own path with %j', (path, expected) => {
    expect(call({ input: { path: 'p' } }, content(textOf({ p: path }))).url).toBe(`https://orders.example${expected}`);
  });

  it('has the origin and the path of its owner, whatever a message contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.string()), (path, query) => {
        const made = call({ input: { path: 'p', query: 'q' } }, content(textOf({ p: path, q: query })));
        const url = new URL(made.url);
        expect(url.origin).toBe('https://orders.example');
        expect(`${url.pathname}/`.startsWith('/hook/')).toBe(true);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
      }),
    );
  });
});

describe('the txtype of a reply', () => {
  it.each([
    ['{"t":true}', 'batch_pin'],
    ['{"t":"batch_pin"}', 'batch_pin'],
    ['{"t":"none"}', 'none'],
    ['{"t":false}', 'none'],
    ['{"t":"paid"}', 'none'],
    ['{}', 'none'],
    ['1', 'none'],
  ])('of a message with %s is %s where the owner has none', (value, txtype) => {
    const settings = readWebhook(
      textOf({ url: 'https://orders.example', reply: true, replytx: 'none', input: { replytx: 't' } }),
    );
    expect(replyTxtype(settings, content(value))).toBe(txtype);
  });
});

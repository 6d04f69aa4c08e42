import { describe, expect, it } from 'vitest';
import { readWebhook, txtypeOf } from '../../../../src/domain/events/webhook.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const url = 'https://orders.example/hook';
const read = (options: Record<string, unknown> = {}) => readWebhook(textOf({ url, ...options }));

describe('the options of a webhook', () => {
  it('need a url, and have defaults for everything else', () => {
    expect(read()).toEqual({
      url,
      method: 'POST',
      headers: new Map(),
      query: new Map(),
      input: {},
      withData: false,
      wrapsValue: false,
      isBatch: false,
      isFastAck: false,
      readAhead: 0,
      isJsonReply: false,
      reply: undefined,
      retry: { maxRepeats: undefined, initialDelayMs: 250, maxDelayMs: 10_000 },
      timeouts: { requestMs: 30_000, connectionMs: 30_000, handshakeMs: 30_000 },
    });
  });

  it('are absent if they are null, including nested ones', () => {
    const options = {
      method: null,
      headers: null,
      query: null,
      reply: null,
      tlsConfigName: null,
      input: { body: null, path: null },
      retry: { enabled: null, count: null, initialDelay: null },
      httpOptions: { proxyURL: null, requestTimeout: null },
    };
    expect(read(options)).toEqual(read());
  });

  it("accept FireFly's forms", () => {
    const options = {
      firstEvent: 'oldest',
      readAhead: 5,
      withData: true,
      method: 'put',
      headers: { 'X-Key': 'k' },
      query: { a: 'b' },
      json: true,
      fastack: true,
      reply: true,
      replytag: 'answer',
      replytx: 'none',
      input: { body: 'payload', replytx: 'tx' },
      retry: { enabled: true, count: 3, initialDelay: '1s', maxDelay: 5_000 },
      httpOptions: { requestTimeout: '1m', connectionTimeout: 250, tlsHandshakeTimeout: '500ms', idleTimeout: '1s' },
    };
    expect(read(options)).toEqual({
      url,
      method: 'PUT',
      headers: new Map([['x-key', 'k']]),
      query: new Map([['a', 'b']]),
      input: { body: 'payload', replytx: 'tx' },
      withData: true,
      wrapsValue: false,
      isBatch: false,
      isFastAck: true,
      readAhead: 5,
      isJsonReply: true,
      reply: { tag: 'answer', txtype: 'none' },
      retry: { maxRepeats: 3, initialDelayMs: 1_000, maxDelayMs: 5_000 },
      timeouts: { requestMs: 60_000, connectionMs: 250, handshakeMs: 500 },
    });
  });

  it('retry without limit by default, and five times for a reply', () => {
    expect(read({ retry: { count: 0 } }).retry.maxRepeats).toBeUndefined();
    expect(read({ retry: { enabled: false, count: 3 } }).retry.maxRepeats).toBeUndefined();
    expect(read({ reply: true }).retry.maxRepeats).toBe(5);
    expect(read({ reply: true, retry: { count: 1 } }).retry.maxRepeats).toBe(1);
  });

  it('never have a first delay above the last', () => {
    expect(read({ retry: { initialDelay: '20s' } }).retry).toMatchObject({
      initialDelayMs: 20_000,
      maxDelayMs: 20_000,
    });
  });

  it('may be null if they are optional', () => {
    expect(read({ headers: null, retry: null, replytag: null })).toEqual(read());
  });

  it('may be empty text if they are optional', () => {
    expect(read({ method: '', replytag: '', replytx: '' })).toEqual(read());
  });

  it('are named in errors with their path and limit', () => {
    expect(() => read({ retry: { count: -1 } })).toThrow(/options\.retry\.count .* from 0 to 1000000, not -1\b/);
    expect(() => read({ reply: true, replytag: 'a b' })).toThrow(/options\.replytag/);
    expect(() => read({ url: 'ftp://orders.example/' })).toThrow(/ftp:\/\/orders\.example\/: only http and https/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['FF10242', { url: '' }],
    ['FF10242', { url: null }],
    ['PY1011', { url: 7 }],
    ['PY1602', { url: 'orders.example' }],
    ['PY1602', { url: 'ftp://orders.example' }],
    ['PY1602', { url: 'file:///etc/passwd' }],
    ['PY1602', { url: 'https://me:secret@orders.example' }],
    ['FF10243', { headers: { a: 1 } }],
    ['FF10243', { headers: { a: null } }],
    ['FF10243', { query: { a: ['b'] } }],
    ['PY1011', { headers: ['a'] }],
    ['FF10189', { headers: { 'a b': 'c' } }],
    ['FF10189', { headers: { a: 'b\r\nX-Other: c' } }],
    ['FF10189', { headers: { Host: 'other.example' } }],
    ['FF10189', { headers: { 'Content-Length': '7' } }],
    ['FF10189', { headers: { 'X-Parley-Event': '7' } }],
    ['FF10189', { method: 'CONNECT' }],
    ['FF10189', { method: 'POST / HTTP/1.1\r\nA: b' }],
    ['FF10189', { replytx: 'paid', reply: true }],
    ['FF00140', { replytag: 'a b', reply: true }],
    ['PY1105', { replytag: 'svc_define_datatype', reply: true }],
    ['PY1601', { ulr: url }],
    ['PY1601', { retry: { initial: '1s' } }],
    ['PY1601', { input: { bodi: 'a' } }],
    ['PY1601', { httpOptions: { timeout: '1s' } }],
    ['PY1011', { retry: 5 }],
    ['PY1011', { retry: { count: 'many' } }],
    ['PY1011', { input: { body: 5 } }],
    ['FF00137', { retry: { initialDelay: 'soon' } }],
    ['FF00137', { httpOptions: { requestTimeout: '1.5' } }],
    ['FF10189', { httpOptions: { requestTimeout: '0ms' } }],
    ['FF10189', { httpOptions: { requestTimeout: '11m' } }],
    ['FF10189', { retry: { maxDelay: '2h' } }],
    ['FF10189', { httpOptions: { proxyURL: 'http://proxy.example' } }],
    ['FF10189', { tlsConfigName: 'mine' }],
    ['FF10189', { batch: true, reply: true }],
    ['FF10189', { batch: true, input: { path: 'p' } }],
    ['FF10460', { batch: true, withData: true }],
  ])('are refused with %s: %j', (code, options) => {
    expect(codeOf(() => read(options))).toBe(code);
  });

  it('accept every time at its limit, and none beyond', () => {
    expect(read({ httpOptions: { requestTimeout: '10m' } }).timeouts.requestMs).toBe(600_000);
    expect(codeOf(() => read({ httpOptions: { requestTimeout: 600_001 } }))).toBe('FF10189');
    expect(read({ retry: { maxDelay: '1h' } }).retry.maxDelayMs).toBe(3_600_000);
    expect(codeOf(() => read({ retry: { maxDelay: 3_600_001 } }))).toBe('FF10189');
  });
});

describe('a txtype', () => {
  it.each([
    ['batch_pin', 'batch_pin'],
    ['none', 'none'],
    ['unpinned', 'none'],
    ['paid', undefined],
  ])('written as %s is %s', (text, txtype) => expect(txtypeOf(text)).toBe(txtype));
});

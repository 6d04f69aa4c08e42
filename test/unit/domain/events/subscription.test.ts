import { describe, expect, test } from 'vitest';
import { readOptions, readSubscription } from '../../../../src/domain/events/subscription.js';
import { textOf } from '../../../../src/wire/json/json.js';
import { codeOf } from '../../../support/codes.js';

const read = (options: unknown) => readOptions(options, { transport: 'websockets' });
const readWebhook = (options: unknown) => readOptions(options, { transport: 'webhooks', others: ['url'] });
const codeOfOptions = (options: unknown) => codeOf(() => read(options));

describe('options', () => {
  test('have defaults, which are shown', () => {
    for (const options of [
      undefined,
      null,
      {},
      { firstEvent: null, url: null },
      { firstEvent: '', batchTimeout: '' },
    ]) {
      const { shown, ...others } = read(options);
      expect(others).toEqual({ firstEvent: 'newest', readAhead: 0, withData: false });
      expect(shown('7')).toEqual({ firstEvent: '7', firstEventGiven: 'newest', readAhead: 0, withData: false });
    }
  });
  test('of a batch read 50 ahead and wait 50 ms by default', () => {
    expect(read({ batch: true })).toMatchObject({ readAhead: 50, batch: { timeoutMs: 50 } });
    expect(read({ batch: true }).shown('0')).toMatchObject({ readAhead: 50, batch: true, batchTimeout: '50ms' });
    expect(read({ batch: true, readAhead: 0 }).shown('0')).toMatchObject({ readAhead: 50 });
    expect(read({ batch: true, readAhead: 3, batchTimeout: '2s' })).toMatchObject({
      readAhead: 3,
      batch: { timeoutMs: 2_000 },
    });
    expect(read({ batch: true, batchTimeout: 20 }).batch).toEqual({ timeoutMs: 20 });
    expect(read({ batch: true, batchTimeout: '20' }).shown('0')).toMatchObject({ batchTimeout: '20ms' });
    expect(read({ batch: true, batchTimeout: '1m0.5s' }).batch).toEqual({ timeoutMs: 60_500 });
    expect(read({ batch: true, batchTimeout: '1m0.5s' }).shown('0')).toMatchObject({ batchTimeout: '1m0.5s' });
    expect(read({ batch: false }).batch).toBeUndefined();
  });
  test('have whole numbers up to 65,535 as readAhead', () => {
    expect(read({ readAhead: 65_535 }).readAhead).toBe(65_535);
    for (const readAhead of [-1, 65_536, 1.5]) expect(codeOfOptions({ readAhead })).toBe('FF10189');
    expect(codeOfOptions({ readAhead: '50' })).toBe('PY1011');
  });
  test('accept an event as the start, as number or text, and show it as submitted next to the sequence', () => {
    expect(read({ firstEvent: 'oldest' }).firstEvent).toBe('oldest');
    for (const firstEvent of [-1, '-1', 0, '17', 42]) {
      expect(read({ firstEvent }).firstEvent).toBe(Number(firstEvent));
      const shown = read({ firstEvent }).shown('17');
      expect(shown).toMatchObject({ firstEvent: '17', firstEventGiven: firstEvent });
      expect(read(shown).firstEvent).toBe(17);
      expect(read(shown).shown('17')).toEqual(shown);
    }
  });
  test('accept no other start', () => {
    for (const firstEvent of ['latest', 1.5, '1e3', true, {}, '99999999999999999']) {
      expect(codeOfOptions({ firstEvent })).toBe('FF10191');
    }
    expect(codeOfOptions({ firstEvent: 1, firstEventGiven: 'latest' })).toBe('FF10191');
    for (const firstEvent of [-2, '-2']) expect(codeOfOptions({ firstEvent })).toBe('FF10192');
  });
  test('allow data only on webhooks, and not in batches', () => {
    expect(codeOfOptions({ withData: true })).toBe('FF10244');
    expect(read({ withData: false }).withData).toBe(false);
    expect(readWebhook({}).withData).toBe(false);
    expect(readWebhook({ withData: true }).withData).toBe(true);
    expect(readWebhook({ batch: true }).withData).toBe(false);
    expect(codeOf(() => readWebhook({ batch: true, withData: true }))).toBe('FF10460');
  });
  test('are refused if unknown, with the nearest name', () => {
    expect(codeOfOptions({ readahead: 5 })).toBe('PY1601');
    expect(() => read({ readahed: 5 })).toThrow('did you mean "readAhead"');
    expect(codeOfOptions({ url: 'http://127.0.0.1' })).toBe('PY1601');
  });
  test('of a transport are passed on', () => {
    expect(readWebhook({ url: 'http://127.0.0.1' }).shown('0')).toMatchObject({ url: 'http://127.0.0.1' });
  });
  test('are refused if they are of the wrong type', () => {
    for (const options of [7, 'x', [], { batch: 'true' }, { withData: 1 }, { batchTimeout: true }]) {
      expect(codeOfOptions(options)).toBe('PY1011');
    }
    for (const batchTimeout of ['soon', '1.5', -1]) expect(codeOfOptions({ batchTimeout })).toBe('FF00137');
    expect(read({ batch: true, batchTimeout: '10m' }).batch).toEqual({ timeoutMs: 600_000 });
    for (const batchTimeout of ['600001', '11m', '1h']) expect(codeOfOptions({ batchTimeout })).toBe('FF10189');
  });
});

test('a stored subscription is read for its delivery', () => {
  const filter = textOf({ events: '^message_', message: { tag: '^t$' } });
  const given = { url: 'http://127.0.0.1', batch: true, readAhead: 7, batchTimeout: '1s' };
  const options = textOf(readWebhook(given).shown('3'));
  const read = readSubscription({ filter, options });
  expect(read).toMatchObject({ readAhead: 7, withData: false, batch: { timeoutMs: 1_000 } });
  const about = { author: 'a', group: null, txtype: null, chainName: null, listener: null };
  const event = { type: 'message_confirmed', topics: [], ...about };
  expect(read.filter({ ...event, tag: 't' })).toBe(true);
  expect(read.filter({ ...event, tag: 'u' })).toBe(false);
});

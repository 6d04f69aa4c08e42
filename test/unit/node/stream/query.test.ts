import { describe, expect, it } from 'vitest';
import { readStreamPath, readStreamQuery } from '../../../../src/node/stream/query.js';
import { ServiceError } from '../../../../src/wire/errors/error.js';

function codeOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
}

describe('the path of a handshake', () => {
  it.each([
    ['/ws', undefined],
    ['/ws/?ephemeral', undefined],
    ['/api/v1/namespaces/trade/ws?x=/ws', 'trade'],
    ['/api/v1/namespaces/tr%61de/ws', 'trade'],
    ['/api/v1/namespaces/tr%6/ws', 'tr%6'],
  ])('%s is for %s', (target, scope) => {
    expect(readStreamPath(target)).toBe(scope);
  });

  it.each(['/', '//', '/wss', '/ws/x', '/api/v1/ws', '/api/v1/namespaces//ws', '/x?/ws'])('is not %s', (target) => {
    expect(codeOf(() => readStreamPath(target))).toBe('FF10109');
  });
});

describe('the query of a handshake', () => {
  it('begins nothing without name and ephemeral', () => {
    expect(readStreamQuery('/ws?namespace=trade&autoack')).toEqual({
      namespace: 'trade',
      isAutoack: true,
      wantsChanges: false,
      start: undefined,
    });
  });

  it('has filter and options like requests, in any case of their names', () => {
    const query = 'EPHEMERAL&filter.Message.Tag[]=%5Ea&ReadAhead=50&firstevent=17&BATCH&batchTIMEOUT=5ms&autoack=false';
    expect(readStreamQuery(`/ws?${query}`)).toEqual({
      namespace: undefined,
      isAutoack: false,
      wantsChanges: false,
      start: {
        name: undefined,
        isEphemeral: true,
        filter: { 'message.tag': '^a' },
        options: { readAhead: 50, firstEvent: '17', batch: true, batchTimeout: '5ms' },
      },
    });
  });

  it('treats a flag that is literally false as absent', () => {
    expect(readStreamQuery('/ws?name=app&ephemeral=false&batch=false').start).toMatchObject({
      isEphemeral: false,
      options: { batch: false },
    });
  });

  it.each([
    ['ephemral', 'FF00142'],
    ['ephemeral&withdata', 'FF00142'],
    ['ephemeral&__proto__=x', 'FF00142'],
    ['ephemeral&readahead=-1', 'FF00143'],
    ['ephemeral&readahead=1e3', 'FF00143'],
    ['readahead=5', 'FF10189'],
    ['ephemeral&filter.events=a&filter.events=b', 'FF10189'],
    ['ephemeral&filter.tag=a&FILTER.TAG[]=b', 'FF10189'],
    ['name=a&name=b', 'FF10189'],
    ['ephemeral&filter.events=a&filter.events=a', undefined],
  ])('%s is %s', (query, code) => {
    expect(codeOf(() => readStreamQuery(`/ws?${query}`))).toBe(code);
  });

  it("accepts FireFly's parameters that have no meaning here", () => {
    expect(readStreamQuery('/ws?changeevents=.*').start).toBeUndefined();
  });
});

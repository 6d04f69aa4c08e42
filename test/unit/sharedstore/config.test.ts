import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/sharedstore/config.js';

describe('parseConfig', () => {
  it('fills in the defaults and freezes the result', () => {
    const config = parseConfig('{"dataDirectory":"d"}');
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 0,
      dataDirectory: 'd',
      logLevel: 'info',
      hosts: [],
      origins: [],
      tokenFile: undefined,
      trustedNetwork: false,
      maxFileBytes: 64 * 2 ** 30,
      minFreeBytes: 2 ** 28,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it.each([
    ['{}', 'dataDirectory'],
    ['{"dataDirectory":""}', 'dataDirectory'],
    ['{"dataDirectory":"d","port":65536}', 'port'],
    ['{"dataDirectory":"d","port":"1"}', 'port'],
    ['{"dataDirectory":"d","logLevel":"loud"}', 'logLevel'],
    ['{"dataDirectory":"d","hosts":"a"}', 'hosts'],
    ['{"dataDirectory":"d","origins":[1]}', 'origins'],
    ['{"dataDirectory":"d","tokenFile":""}', 'tokenFile'],
    ['{"dataDirectory":"d","trustedNetwork":"yes"}', 'trustedNetwork'],
    ['{"dataDirectory":"d","maxFileBytes":-1}', 'maxFileBytes'],
    ['{"dataDirectory":"d","ports":1}', '"ports"'],
    ['null', 'object'],
    ['[]', 'object'],
  ])('refuses %s and names the wrong member', (text, named) => {
    expect(() => parseConfig(text)).toThrow(named);
  });
});

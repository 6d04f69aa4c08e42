import { describe, expect, it } from 'vitest';
import { storeSettings } from '../../../../../src/cli/stack/making/store-flag.js';

describe('--store', () => {
  const provider = { path: ['store', 'provider'], value: 'ipfs' };
  const api = { path: ['store', 'api'], value: 'http://127.0.0.1:5001' };

  it('accepts the address of an API, followed by that of a gateway', () => {
    const gateway = { path: ['store', 'gateway'], value: 'https://files.example' };
    expect(storeSettings('http://127.0.0.1:5001')).toEqual([provider, api]);
    expect(storeSettings('ipfs=http://127.0.0.1:5001')).toEqual([provider, api]);
    expect(storeSettings('ipfs=http://127.0.0.1:5001,https://files.example')).toEqual([provider, api, gateway]);
  });

  it.each(['', 'ipfs', '127.0.0.1:5001', 'ipfs=http://a,b', 'ipfs=http://a,http://b,http://c', 'ftp://a'])(
    'refuses %s, and says what it takes',
    (word) => {
      const refused = expect.objectContaining({ exitCode: 2, message: expect.stringContaining('ipfs=API,GATEWAY') });
      expect(() => storeSettings(word)).toThrow(refused as Error);
    },
  );
});

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { defaultVariables, passedOnFrom } from '../../../../src/supervisor/machine/environment.js';

test('services get what programs of Node need to start and whom webhooks may trust, and no token', () => {
  const needed = { PATH: '/bin', HOME: '/home', NODE_OPTIONS: '--no-warnings', NODE_EXTRA_CA_CERTS: '/etc/own.pem' };
  const environment = { ...needed, GITHUB_TOKEN: 'secret', AWS_SECRET_ACCESS_KEY: 'secret', TZ: undefined };
  expect(passedOnFrom(environment)).toEqual({ ...defaultVariables, ...needed });
});

test('services have one pool of freed memory, unless the user wants it otherwise', () => {
  expect(passedOnFrom({})).toEqual({ MALLOC_ARENA_MAX: '1' });
  expect(passedOnFrom({ MALLOC_ARENA_MAX: '4' })).toEqual({ MALLOC_ARENA_MAX: '4' });
});

test('a file of authorities is named by its absolute path, since services have another working directory', () => {
  expect(passedOnFrom({ NODE_EXTRA_CA_CERTS: 'own.pem' })).toMatchObject({ NODE_EXTRA_CA_CERTS: resolve('own.pem') });
  expect(passedOnFrom({ NODE_EXTRA_CA_CERTS: '' })).toEqual(defaultVariables);
});

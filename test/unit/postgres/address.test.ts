import { expect, test } from 'vitest';
import { parsePostgresAddress, serverOf } from '../../../src/postgres/address.js';

test.each([
  [
    'postgres://me:pass%40word@db.example/dev',
    { host: 'db.example', port: 5432, password: 'pass@word', tls: 'verified' },
  ],
  ['postgresql://me@localhost:6000/dev\n', { host: 'localhost', port: 6000, password: '', tls: 'none' }],
  ['postgres://me:a@db/dev?sslmode=require', { tls: 'encrypted' }],
  ['postgres://me:a@db/dev?sslmode=disable', { tls: 'none' }],
  ['postgres://me:a@localhost/dev?host=/run/postgresql', { host: '/run/postgresql', tls: 'none' }],
  ['postgres://me:a@%2Frun%2Fpostgresql/dev', { host: '/run/postgresql', tls: 'none' }],
  ['postgres://me:a@[::1]/dev', { host: '::1', tls: 'none' }],
])('reads %j', (text, expected) => {
  expect(parsePostgresAddress(text)).toMatchObject({ user: 'me', database: 'dev', ...expected });
});

test.each([
  '',
  'secret',
  'mysql://me:secret@db/dev',
  'postgres://db/dev',
  'postgres://me:secret@db',
  'postgres://me:secret@db/dev?sslmode=maybe',
  'postgres://me:secret@db/dev?options=-c',
])('refuses %j without repeating its password', (text) => {
  expect(() => parsePostgresAddress(text)).toThrow();
  expect(() => parsePostgresAddress(text)).not.toThrow('secret');
});

test.each(['postgres://me:100%@db/dev', 'postgres://me:a#b@db/dev', 'postgres://me:a/b@db/dev'])(
  'refuses a password with special characters in %j, and tells how to write them',
  (text) => expect(() => parsePostgresAddress(text)).toThrow('% is %25'),
);

test('names a server without credentials', () => {
  expect(serverOf(parsePostgresAddress('postgres://me:secret@[::1]:6000/dev'))).toBe('[::1]:6000');
});

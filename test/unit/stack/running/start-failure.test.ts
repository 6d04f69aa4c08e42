import { expect, it } from 'vitest';
import { usedPort } from '../../../../src/stack/running/start-failure.js';

it.each([
  ['Cannot listen on 127.0.0.1:16010: listen EADDRINUSE: address already in use 127.0.0.1:16010.', 16_010],
  ['listen EADDRINUSE: address already in use 127.0.0.1:16010', 16_010],
  ['Cannot listen on :::16010: listen EADDRINUSE', 16_010],
  ['Cannot listen on 10.0.0.1:16010: listen EACCES: permission denied', undefined],
  ['The journal is damaged at byte 7.', undefined],
])('the port that is in use is found in "%s"', (message, port) => {
  expect(usedPort(message)).toBe(port);
});

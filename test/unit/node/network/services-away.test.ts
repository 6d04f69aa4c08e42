import { expect, it } from 'vitest';
import { servicesAway } from '../../../../src/node/network/services-away.js';

it('logs once that the store is away, with the earliest time, and logs each other lane', () => {
  const error = 'no answer';
  const lanes = ['store', 'fetch:b', 'fetch-blobs:c', 'peer:b', 'blobs:c', 'key:0xa', 'calls:0xa', 'source'];
  const away = lanes.map((lane, index) => ({ lane, since: `2026-01-15T10:00:0${9 - index}.000Z`, error }));
  expect(servicesAway(away).map(({ service, since }) => `${service} ${since.slice(17, 19)}`)).toEqual([
    'peer 06',
    'peer 05',
    'chain 04',
    'chain 03',
    'chain 02',
    'store 07',
  ]);
});

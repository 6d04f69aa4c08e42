import { expect, it } from 'vitest';
import { servicesAway } from '../../../../src/node/network/services-away.js';

it('shows once that a peer is away, although its payloads and its files are sent separately', () => {
  const lanes = ['peer:b', 'blobs:b', 'peer:c'];
  const away = lanes.map((lane, index) => ({
    lane,
    since: `2026-01-15T10:00:0${3 - index}.000Z`,
    error: `The node at ${lane.split(':')[1] ?? ''} cannot be reached.`,
  }));
  expect(servicesAway(away)).toEqual([
    { service: 'peer', since: '2026-01-15T10:00:02.000Z', error: 'The node at b cannot be reached.' },
    { service: 'peer', since: '2026-01-15T10:00:01.000Z', error: 'The node at c cannot be reached.' },
  ]);
});

it('shows once that the store is away, with the earliest time, and each other service with each of its errors', () => {
  const error = 'no answer';
  const lanes = ['store', 'fetch:b', 'fetch-blobs:c', 'peer:b', 'blobs:c', 'key:0xa', 'calls:0xa', 'source'];
  const away = lanes.map((lane, index) => ({
    lane,
    since: `2026-01-15T10:00:0${9 - index}.000Z`,
    error: `${error} ${index}`,
  }));
  expect(servicesAway(away).map(({ service, since }) => `${service} ${since.slice(17, 19)}`)).toEqual([
    'store 07',
    'peer 06',
    'peer 05',
    'chain 04',
    'chain 03',
    'chain 02',
  ]);
});

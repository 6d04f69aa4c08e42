import { expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createRecentContents } from '../../../../src/sharedstore/content/recent.js';

const limits = { ageMs: 10_000, bytes: 4_194_304 };

it('keeps content for ten seconds, and anew when it is added again', async () => {
  const clock = createManualClock();
  const recent = createRecentContents(clock);
  recent.keep('a', Buffer.from('a'));
  await clock.advance(limits.ageMs - 1);
  expect(recent.find('a')).toEqual(Buffer.from('a'));
  recent.keep('b', Buffer.from('b'));
  await clock.advance(1);
  expect([recent.find('a'), recent.find('b'), recent.find('c')]).toEqual([undefined, Buffer.from('b'), undefined]);
  recent.keep('a', Buffer.from('a'));
  expect(recent.find('a')).toEqual(Buffer.from('a'));
});

it('drops the oldest content beyond four MiB, counted from when it was last added', () => {
  const recent = createRecentContents(createManualClock());
  const quarter = Buffer.alloc(limits.bytes / 4);
  for (const cid of ['a', 'b', 'c', 'd']) recent.keep(cid, quarter);
  recent.keep('a', quarter);
  expect(recent.find('b')).toBeDefined();
  recent.keep('e', Buffer.alloc(1));
  expect(['a', 'b', 'c', 'd', 'e'].filter((cid) => recent.find(cid) === undefined)).toEqual(['b']);
});

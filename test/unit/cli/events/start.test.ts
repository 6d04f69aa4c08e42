import { describe, expect, it } from 'vitest';
import { lastOfAll } from '../../../../src/cli/events/start.js';

/** Events of one node, newest first; the digits stand for their times. */
const events = (...times: readonly string[]) => ({ events: times.map((created) => ({ created })) });

describe('the last events of all nodes', () => {
  it('are counted together', () => {
    expect(lastOfAll([events('9', '4', '1'), events('8', '7', '6'), events()], 4)).toEqual([1, 3, 0]);
    expect(lastOfAll([events('2'), events('1')], 20)).toEqual([1, 1]);
    expect(lastOfAll([events('2'), events('1')], 0)).toEqual([0, 0]);
  });

  it('are those of the nodes that answered', () => {
    expect(lastOfAll([undefined, events('3', '2', '1')], 2)).toEqual([0, 2]);
  });
});

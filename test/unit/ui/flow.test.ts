import { describe, expect, it } from 'vitest';
import { type InFlight, contextsOf, stateOf } from '../../../ui/src/pages/topics/contexts.js';
import { stepIcon } from '../../../ui/src/components/record/step-icon.js';
import { stepsInOrder, flowLanes } from '../../../ui/src/pages/flow/flow-lanes.js';
import type { Progress } from '../../../src/wire/messages/progress.js';

const since = '2026-01-31T12:00:00.000Z';
type Wait = Progress['waits'][number];

function inFlight(
  id: string,
  waits: readonly Wait[],
  { topics = ['t'], group }: { topics?: string[]; group?: string } = {},
) {
  const progress = { id, hash: '', state: 'ready', steps: [], waits: [...waits] };
  const header = { id, topics, created: since, ...(group !== undefined && { group }) };
  // Contexts use only these members of a message.
  return { message: { header, batch: `batch of ${id}` }, progress } as unknown as InFlight;
}
const wait = (on: Wait['on'], more: Partial<Wait> = {}): Wait => ({ on, since, detail: on, ...more });

describe('the contexts of messages in flight', () => {
  it('are one for each topic, and one for each topic of a group', () => {
    const contexts = contextsOf([
      inFlight('1', [], { topics: ['a', 'b'] }),
      inFlight('2', [], { topics: ['a'] }),
      inFlight('3', [], { topics: ['a'], group: 'g' }),
    ]);
    expect(contexts.map(({ topic, group, messages }) => [topic, group, messages.length])).toEqual([
      ['a', undefined, 2],
      ['b', undefined, 1],
      ['a', 'g', 1],
    ]);
  });

  it('show as head first missing data, then operations, then other messages', () => {
    const [context] = contextsOf([
      inFlight('1', [wait('operation'), wait('context'), wait('batch', { batch: 'other' })]),
    ]);
    expect(context?.head).toMatchObject({ message: undefined, wait: { on: 'batch', batch: 'other' } });
    const [own] = contextsOf([inFlight('1', [wait('context')]), inFlight('2', [wait('blob')])]);
    expect(own?.head?.message?.header.id).toBe('2');
  });

  it('are blocked by what is missing, but not by an operation that has not ended, as in the status', () => {
    const states = [[], [wait('operation')], [wait('operation'), wait('blob')], [wait('context')]].map((waits) =>
      contextsOf([inFlight('1', waits)]).map(stateOf),
    );
    expect(states).toEqual([['in progress'], ['waiting'], ['blocked'], ['blocked']]);
  });

  it('ignore the waits of other topics of a message', () => {
    const contexts = contextsOf([inFlight('1', [wait('blob', { context: { topic: 'b' } })], { topics: ['a', 'b'] })]);
    expect(contexts.map(({ topic, head }) => [topic, head?.wait.on])).toEqual([
      ['a', undefined],
      ['b', 'blob'],
    ]);
  });
});

describe('the lanes of a message', () => {
  const progress: Progress = {
    id: 'm',
    hash: '',
    state: 'ready',
    missing: 'decided',
    waits: [],
    steps: [
      { step: 'accepted', time: since },
      { step: 'stored', time: since },
      { step: 'pinned' },
      { step: 'decided' },
    ],
  };

  it('are author, store and chain, then one for each party with this one first', () => {
    const joined = { parties: [{ party: 'bob', answer: 'unknown' as const, steps: [], waits: [] }] };
    const lanes = flowLanes(progress, 'alice', joined);
    expect(lanes.map(({ title, isJoined, state }) => [title, isJoined, state])).toEqual([
      ['Author', false, undefined],
      ['Shared store', false, undefined],
      ['Chain', false, undefined],
      ['alice', false, 'ready'],
      ['bob', true, 'unknown'],
    ]);
    expect(stepsInOrder(lanes).map(({ key }) => key)).toEqual([
      'author.accepted',
      'store.stored',
      'chain.pinned',
      'alice.decided',
    ]);
  });

  it('show every step without a time as cancelled if the message was cancelled', () => {
    const { missing: _, ...cancelled } = { ...progress, state: 'cancelled' };
    const steps = flowLanes(cancelled, 'alice', undefined).flatMap((lane) => lane.steps);
    const icons = steps.map(({ time, isNext, isCancelled }) =>
      stepIcon({ isDone: time !== undefined, isNext, isCancelled }),
    );
    expect(icons).toEqual(['check', 'check', 'cancelled', 'cancelled']);
  });
});

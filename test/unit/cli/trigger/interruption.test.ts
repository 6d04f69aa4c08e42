import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { EndingSignal } from '../../../../src/cli/signals.js';
import { createInterruption } from '../../../../src/cli/trigger/interruption.js';
import type { TriggerStep } from '../../../../src/cli/trigger/read.js';

const stepOf = (command: string): TriggerStep =>
  ({ name: 'step', work: { kind: 'command', command } }) as unknown as TriggerStep;
const parallel = { name: 'both', work: { kind: 'parallel', steps: [stepOf('fault cut')] } } as unknown as TriggerStep;
const interrupted = { code: 'INTERRUPTED', exitCode: 130 };

/** An interruption, and how often it has reported a first signal. */
function anInterruption() {
  const listeners = new Set<(signal: EndingSignal) => void>();
  let reports = 0;
  const signals = {
    first: () => undefined,
    listen: (listener: (signal: EndingSignal) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const interruption = createInterruption(signals, () => reports++);
  const interrupt = () => [...listeners].forEach((listener) => listener('SIGINT'));
  return { interruption, interrupt, reports: () => reports };
}

it('a signal abandons a step, and the steps under finally run to their end', async () => {
  const { interruption, interrupt, reports } = anInterruption();
  const step = interruption.duringStep(stepOf('send'), new Promise(() => undefined));
  interrupt();
  await expect(step).rejects.toMatchObject(interrupted);
  await expect(interruption.duringFinally(turn())).rejects.toMatchObject(interrupted);
  expect(reports()).toBe(1);
});

it.each([stepOf('fault cut'), stepOf('chain pause'), stepOf('party pause'), parallel])(
  'a signal waits for a step that disturbs, so that it can be undone: %j',
  async (disturbance) => {
    const { interruption, interrupt } = anInterruption();
    let isDone = false;
    const work = turn().then(() => (isDone = true));
    const step = interruption.duringStep(disturbance, work);
    interrupt();
    await expect(step).rejects.toMatchObject(interrupted);
    expect(isDone).toBe(true);
  },
);

it('a second signal ends the steps under finally', async () => {
  const { interruption, interrupt, reports } = anInterruption();
  const last = interruption.duringFinally(new Promise(() => undefined));
  interrupt();
  interrupt();
  await expect(last).rejects.toMatchObject(interrupted);
  expect(reports()).toBe(1);
});

it('without a signal everything returns its result', async () => {
  const { interruption } = anInterruption();
  expect(await interruption.duringStep(stepOf('send'), Promise.resolve(1))).toBe(1);
  expect(await interruption.duringStep(stepOf('fault cut'), Promise.resolve(2))).toBe(2);
  await interruption.duringFinally(Promise.resolve());
});

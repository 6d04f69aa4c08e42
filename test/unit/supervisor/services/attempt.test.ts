import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSystemClock } from '../../../../src/adapters/clock/system.js';
import { attempt, type RunResult } from '../../../../src/supervisor/services/attempt.js';
import type { Pause } from '../../../../src/supervisor/services/pause.js';
import type { ProbeResult } from '../../../../src/supervisor/services/probe.js';
import type { Child, ChildMessage, Exit } from '../../../../src/supervisor/services/process.js';
import type { ServiceView } from '../../../../src/supervisor/control/view.js';
import { aService } from '../fixtures/plans.js';

/** A program that reports what the test tells it to, and its state. */
interface Life {
  say(message: ChildMessage): void;
  answer: ProbeResult;
  /** The time that its main thread computes between two checks. */
  workMs: number;
  /** The times at which its health was checked. */
  readonly askedAtMs: number[];
  readonly view: Partial<ServiceView>;
  /** Undefined if nothing is running that could be paused. */
  pause(): Pause | undefined;
  /** Undefined while it is running. */
  outcome(): RunResult | undefined;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const readyTimeoutMs = 1_000;
const place = { type: 'ready', port: 7, url: 'http://127.0.0.1:7' } as const;

async function begin(): Promise<Life> {
  let outcome: RunResult | undefined;
  let say: Life['say'] = () => undefined;
  const view: Partial<ServiceView> = {};
  let workedMs = 0;
  let pause: Pause | undefined;
  const life: Life = {
    say: (message) => say(message),
    answer: 'missing',
    workMs: 0,
    askedAtMs: [],
    view,
    outcome: () => outcome,
    pause: () => pause,
  };
  let exit: (how: Exit) => void = () => undefined;
  const exited = new Promise<Exit>((resolve) => (exit = resolve));
  const child: Child = {
    pid: 1,
    identity: undefined,
    isContainer: false,
    exited,
    stop: () => {
      exit({ code: 0, signal: null });
      return Promise.resolve(false);
    },
    pause: () => Promise.resolve(),
    resume: () => undefined,
  };
  void attempt(aService('/nowhere', 'chain', { readyTimeoutMs }), {
    launch: (_spec, onMessage) => {
      say = onMessage;
      return Promise.resolve(child);
    },
    probe: {
      ask: () => {
        life.askedAtMs.push(performance.now());
        return Promise.resolve(life.answer);
      },
      close: () => undefined,
    },
    mainThreadMs: () => (workedMs += life.workMs),
    clock: createSystemClock(),
    change: (changes) => void Object.assign(view, changes),
    onPausable: (pausable) => (pause = pausable),
    signal: new AbortController().signal,
    stopGraceMs: () => 0,
  }).then((ended) => (outcome = ended));
  await vi.advanceTimersByTimeAsync(0);
  return life;
}

test('A service that reports nothing is given up when its time is over', async () => {
  const life = await begin();
  await vi.advanceTimersByTimeAsync(readyTimeoutMs);
  expect(life.outcome()?.cause).toBe('It was not ready within 1000 ms of its start or its last progress.');
});

test('A service gets more time with each progress report, which is shown until it is healthy', async () => {
  const life = await begin();
  for (let percent = 10; percent <= 50; percent += 10) {
    await vi.advanceTimersByTimeAsync(readyTimeoutMs - 1);
    life.say({ type: 'progress', text: `did ${percent} %` });
    expect(life.view).toMatchObject({ state: 'starting', progress: `did ${percent} %` });
  }
  life.answer = 'ready';
  life.say(place);
  await vi.advanceTimersByTimeAsync(0);
  expect(life.view).toMatchObject({ state: 'healthy', progress: null, port: 7 });
  life.say({ type: 'progress', text: 'did it again' });
  expect(life.view.progress).toBeNull();
});

test('A service that answers is not given up while it catches up, but is when it stops answering', async () => {
  const life = await begin();
  life.say(place);
  life.answer = 'alive';
  await vi.advanceTimersByTimeAsync(20 * readyTimeoutMs);
  expect(life.outcome()).toBeUndefined();
  expect(life.view.state).toBe('starting');
  life.answer = 'missing';
  await vi.advanceTimersByTimeAsync(readyTimeoutMs + 50);
  expect(life.outcome()?.cause).toBe('It was not ready within 1000 ms of its start or its last progress.');
});

test('A silent service is replaced soon when it is idle, and late when it computes', async () => {
  const { health } = aService('/nowhere', 'chain');
  const silenceOf = async (workMs: number) => {
    const life = await begin();
    life.answer = 'ready';
    life.say(place);
    await vi.advanceTimersByTimeAsync(0);
    Object.assign(life, { answer: 'missing', workMs });
    for (let questions = 1; ; questions++) {
      await vi.advanceTimersByTimeAsync(health.intervalMs);
      const outcome = life.outcome();
      if (outcome !== undefined) return { questions, cause: outcome.cause };
    }
  };
  const idle = await silenceOf(10);
  const busy = await silenceOf(5_000);
  expect(idle.questions).toBe(health.maxMisses);
  expect(busy.questions).toBe(health.maxMisses * 10);
  expect(busy.cause).toContain('working');
});

test('Services are checked at the same moments, whenever each became healthy', async () => {
  const { health } = aService('/nowhere', 'chain');
  const lives: Life[] = [];
  for (const waitMs of [0, 0.3 * health.intervalMs, 0.6 * health.intervalMs]) {
    await vi.advanceTimersByTimeAsync(waitMs);
    const life = await begin();
    life.answer = 'ready';
    life.say(place);
    await vi.advanceTimersByTimeAsync(0);
    lives.push(life);
  }
  const healthyMs = performance.now();
  await vi.advanceTimersByTimeAsync(10 * health.intervalMs);
  const [first, ...others] = lives.map((life) => life.askedAtMs.filter((ms) => ms > healthyMs + health.intervalMs));
  expect(first?.length).toBeGreaterThanOrEqual(8);
  for (const other of others) expect(other.slice(-8)).toEqual(first?.slice(-8));
});

test('A paused service is not checked, however long, and is again when it is resumed', async () => {
  const { health } = aService('/nowhere', 'chain');
  const life = await begin();
  expect(life.pause()).toBeUndefined();
  life.answer = 'ready';
  life.say(place);
  await vi.advanceTimersByTimeAsync(0);
  await life.pause()?.begin();
  life.answer = 'missing';
  await vi.advanceTimersByTimeAsync(health.intervalMs * health.maxMisses * 100);
  expect([life.view.state, life.outcome()]).toEqual(['paused', undefined]);
  life.pause()?.end();
  expect(life.view.state).toBe('healthy');
  await vi.advanceTimersByTimeAsync(health.intervalMs * 2);
  expect(life.view.state).toBe('unhealthy');
  await vi.advanceTimersByTimeAsync(health.intervalMs * health.maxMisses);
  expect(life.outcome()?.cause).toContain('did not answer');
  expect(life.pause()).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import type { ReceivedCall, TargetReply } from '../../../src/adapters/webhook/memory.js';
import type { WebhookReason } from '../../../src/ports/webhook.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { DatabaseKind } from '../../support/disk.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { about, type Pipelines, usePipelines } from '../../support/pipelines.js';
import { rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const origin = 'http://orders.example';

interface Scene {
  readonly network: Pipelines;
  readonly calls: ReceivedCall[];
  /** Time of each call, in ms since the first. */
  readonly times: () => readonly number[];
  answer: TargetReply | WebhookReason;
  subscribe(options?: Record<string, unknown>): Promise<void>;
  send(...values: readonly number[]): Promise<void>;
}

async function startScene(database: DatabaseKind): Promise<Scene> {
  const network = await startPipelines({ organizations: ['alice'], database });
  const alice = network.party('alice');
  const calls: ReceivedCall[] = [];
  const moments: number[] = [];
  const scene: Scene = {
    network,
    calls,
    times: () => moments.map((moment) => moment - (moments[0] ?? 0)),
    answer: { status: 204 },
    async subscribe(options = {}) {
      const wanted = textOf({ url: origin, withData: true, ...options });
      const request = { name: 'hook', transport: 'webhooks', options: wanted };
      const filter = textOf({ events: '^message_confirmed$' });
      await alice.pipeline().createSubscription('default', { ...request, filter });
      await network.settle();
    },
    async send(...values) {
      for (const value of values) await alice.broadcast(about(['orders'], value));
      await network.settle();
    },
  };
  network.targets.serve(origin, async (call) => {
    calls.push(call);
    moments.push(network.clock.monotonicMs());
    return scene.answer;
  });
  return scene;
}

const bodies = ({ calls }: Scene) => calls.map(({ body }) => body);
const eventsOf = ({ calls }: Scene) => calls.map(({ headers }) => headers['x-parley-event']);

/** Settles the network until a condition holds, since time does not pass otherwise. */
async function until({ network }: Scene, condition: () => void): Promise<void> {
  const settleAndLook = async (): Promise<void> => {
    await network.settle();
    condition();
  };
  await eventually(settleAndLook);
}

describe.each(databaseKinds)('a webhook of a node on %s', (database) => {
  it('is called again with an accepted event if the node died before it recorded that', async () => {
    const scene = await startScene(database);
    const alice = scene.network.party('alice');
    await scene.subscribe();
    alice.dieAt('webhook.after-response');
    await scene.send(1);
    await until(scene, () => expect(alice.isAlive()).toBe(false));
    expect(bodies(scene)).toEqual(['1']);
    await alice.restart();
    await until(scene, () => expect(bodies(scene)).toEqual(['1', '1']));
    expect(new Set(eventsOf(scene)).size).toBe(1);
    await scene.send(2);
    await until(scene, () => expect(bodies(scene)).toEqual(['1', '1', '2']));
  });

  it('gets all events in order, however often the node dies after its answers', async () => {
    const scene = await startScene(database);
    const alice = scene.network.party('alice');
    await scene.subscribe({ readAhead: 3 });
    scene.answer = 'unreachable';
    const values = Array.from({ length: 12 }, (_, index) => index);
    await scene.send(...values);
    for (const hit of [1, 2, 1, 3]) {
      alice.dieAt('webhook.after-response', hit);
      scene.answer = { status: 204 };
      await scene.network.clock.advance(10_000);
      await until(scene, () => expect(alice.isAlive()).toBe(false));
      scene.answer = 'unreachable';
      await alice.restart();
    }
    scene.answer = { status: 204 };
    await scene.network.clock.advance(10_000);
    const texts = values.map((value) => String(value));
    await until(scene, () => expect([...new Set(bodies(scene))]).toEqual(texts));
  });
});

describe('the retries of a call', () => {
  it('come after 250 ms, then after twice as long each, at most 10 s, shortened by up to half', async () => {
    const scene = await startScene('memory');
    await scene.subscribe();
    scene.answer = 'unreachable';
    await scene.send(1);
    await scene.network.pass(60_000);
    const gaps = scene.times().flatMap((time, index, all) => (index === 0 ? [] : [time - (all[index - 1] ?? 0)]));
    expect(gaps.length).toBeGreaterThanOrEqual(8);
    gaps.forEach((gap, index) => {
      const full = Math.min(250 * 2 ** index, 10_000);
      expect(gap).toBeGreaterThanOrEqual(full / 2);
      // Time passes in steps of 100 ms here.
      expect(gap).toBeLessThanOrEqual(full + 100);
    });
    scene.answer = { status: 200 };
    await scene.network.pass(10_000);
    expect(new Set(eventsOf(scene)).size).toBe(1);
    const pipeline = scene.network.party('alice').pipeline();
    const [row] = await rowsOf(scene.network.party('alice').database(), 'subscriptions');
    expect(pipeline.webhooks.statusOf(row?.id ?? '')).toEqual({ failures: 0 });
  });

  it('continue without limit, and later events wait for them', async () => {
    const scene = await startScene('memory');
    await scene.subscribe({ readAhead: 10, retry: { initialDelay: '1m', maxDelay: '1m' } });
    scene.answer = { status: 503 };
    await scene.send(1, 2, 3);
    for (let minute = 0; minute < 5; minute++) await scene.network.clock.advance(60_000);
    await scene.network.settle();
    expect(scene.calls.length).toBeGreaterThanOrEqual(6);
    expect(new Set(bodies(scene))).toEqual(new Set(['1']));
    scene.answer = { status: 204 };
    await scene.network.clock.advance(60_000);
    await until(scene, () => expect([...new Set(bodies(scene))]).toEqual(['1', '2', '3']));
  });
});

import { consume, type Consumer, subscribe } from '../../support/consumer.js';
import { type EventStack, megabytes, onEventStack, pause, soon } from './event-stack.js';
import type { Verdicts } from './history.js';

const maxGrowthBytes = 50 * 1_048_576;
/** Minimum share of the rate without a stalled consumer. */
const minShare = 0.8;
/** The number of events over which a rate is measured. */
const replayed = 20_000;
const restMs = 15_000;

/** Consumers stop reading while very many events wait: the node's memory stays limited, and others get their events. */
export async function tryStalled(
  root: string,
  { count }: { readonly count: number },
  verdicts: Verdicts,
  print: (line: string) => void,
): Promise<void> {
  await onEventStack(root, async (events) => {
    await events.store({ count });
    const fresh = await events.residentBytes();
    // A baseline without stalled consumers, to separate their effect on the heap.
    await measure(events, 'warm');
    const alone = await measure(events, 'alone');
    print(
      `alone ${alone.perSecond} events/s; the node has ${megabytes(fresh)} at first, ${megabytes(alone.bytes)} then`,
    );

    const stalled = [await stall(events, 'durable'), await stall(events, 'ephemeral')];
    const beside = await measure(events, 'beside');
    for (const [what, bytes] of [['at rest', beside.restingBytes] as const, ['at work', beside.bytes] as const]) {
      verdicts.expect(
        `two consumers that do not read: RSS grows by less than ${megabytes(maxGrowthBytes)}, ${what}`,
        bytes - alone.bytes < maxGrowthBytes,
        `${megabytes(alone.bytes)} → ${megabytes(bytes)}`,
      );
    }
    verdicts.expect(
      'others are at full rate',
      beside.perSecond >= alone.perSecond * minShare,
      `${beside.perSecond} events/s beside, ${alone.perSecond} alone`,
    );
    for (const consumer of stalled) consumer.kill();
  });
}

/** Measures a time without work, then three replays: their rate, and the node's peak memory in each. */
async function measure(events: EventStack, name: string) {
  const restingBytes = await peakDuring(events, () => pause(restMs));
  const rates: number[] = [];
  const bytes = await peakDuring(events, async () => {
    for (let run = 0; run < 3; run++) rates.push(await replayRate(events, `${name}-${run}`));
  });
  return { perSecond: median(rates), restingBytes, bytes };
}

/** Returns the events per second of a durable consumer that acknowledges each, over the first events. */
async function replayRate({ url }: EventStack, name: string): Promise<number> {
  await subscribe(url, name, { filter: { tag: '^stored$' }, options: { firstEvent: 'oldest', readAhead: 50 } });
  const startMs = performance.now();
  const consumer = consume(url, `name=${name}`, { isAcknowledging: true, isForgetful: true });
  await soon('everything came', () => consumer.count() >= replayed, 300_000);
  const perSecond = Math.round((replayed * 1_000) / (performance.now() - startMs));
  consumer.kill();
  return perSecond;
}

/** Requests everything at once, and stops reading after the first frame. */
async function stall({ url }: EventStack, kind: 'durable' | 'ephemeral'): Promise<Consumer> {
  const options = { firstEvent: 'oldest', readAhead: 65_535 };
  if (kind === 'durable') await subscribe(url, 'stalled', { options });
  const query = kind === 'durable' ? 'name=stalled' : 'ephemeral&autoack&firstEvent=oldest&readahead=65535';
  const consumer = consume(url, query, {
    onFrame: (_, own) => {
      own.pause();
    },
  });
  await soon('the first event came', () => consumer.count() > 0);
  return consumer;
}

async function peakDuring(events: EventStack, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  let isOver = false;
  const sample = async (): Promise<void> => {
    for (; !isOver; await pause(100)) peak = Math.max(peak, await events.residentBytes());
  };
  const sampling = sample();
  await work();
  isOver = true;
  await sampling;
  return peak;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}

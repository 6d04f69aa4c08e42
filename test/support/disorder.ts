import type { DurableStep } from '../../src/bench/check/recording.js';
import { consume } from './consumer.js';

export interface Disorder {
  readonly url: string;
  /** Name of the subscription. */
  readonly name: string;
  /** Upper limit of the random number of acknowledgements. */
  readonly most: number;
  /** The number of acknowledged events after which it stops. */
  readonly total: number;
}

/**
 * Connects, acknowledges events in any order, and is dropped after some of them. Returns the deliveries and
 * acknowledgements; the latter are added to `done`.
 */
export async function acknowledgeInDisorder(
  { url, name, most, total }: Disorder,
  done: Set<string>,
): Promise<DurableStep[]> {
  const steps: DurableStep[] = [];
  const waiting: string[] = [];
  const consumer = consume(url, `name=${name}`, {
    onFrame({ id }) {
      steps.push({ is: 'delivered', id });
      waiting.push(id);
    },
  });
  let left = Math.ceil(Math.random() * most);
  for (; left > 0 && done.size < total; await new Promise((resolve) => setImmediate(resolve))) {
    const [id] = waiting.splice(Math.floor(Math.random() * waiting.length), 1);
    if (id === undefined) continue;
    consumer.acknowledge(id);
    steps.push({ is: 'acknowledged', id });
    done.add(id);
    left -= 1;
  }
  consumer.kill();
  await consumer.closed;
  return steps;
}

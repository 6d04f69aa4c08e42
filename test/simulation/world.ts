import { drawFaults, type Faults, noFaults } from './faults.js';
import type { Simulator } from './life.js';
import { createNetwork } from './network.js';
import type { Scheduler } from './scheduler.js';
import type { Situation } from './situations.js';
import type { Storage } from './storage.js';
import { findViolation } from './violation.js';

export interface WorldParts {
  readonly scheduler: Scheduler;
  readonly sometimes: (situation: Situation) => void;
  /** Makes the storage of a node's database. */
  readonly createStorage: () => Storage;
  /** Changes the drawn faults. */
  readonly amend?: ((faults: Faults) => Faults) | undefined;
}

const liveMs = 10 * 60_000;
/** Time between two checks of the remaining work. */
const restMs = 6_000;

/** Runs one network from its start until it is at rest. Rejects with InvariantViolation. */
export async function runWorld(parts: WorldParts): Promise<void> {
  const { scheduler, sometimes } = parts;
  const { random } = scheduler;
  const drawn = (parts.amend ?? ((faults) => faults))(drawFaults(random));
  let faults = drawn;
  const simulator: Simulator = { scheduler, sometimes, faults: () => faults };
  const spanMs = 500 + random.integer(20_000);
  const network = createNetwork(simulator, drawn, parts.createStorage);
  const { parties, shadows, client, oracle } = network;

  network.start(spanMs);
  client.start();
  for (const traders of network.traders) traders.start();
  network.deleter.start();
  network.contractors.start();
  network.registrants.start();
  network.listening?.start();
  network.overlaps?.start();
  await scheduler.run(() => scheduler.nowMs() >= spanMs);
  faults = noFaults;
  scheduler.note('world', 'heals');
  network.heal();
  const healedMs = scheduler.nowMs();

  const isConverged = (): boolean =>
    client.isDone() &&
    network.traders.every((traders) => traders.isDone()) &&
    network.registrants.isDone() &&
    network.overlaps?.isDone() !== false &&
    parties.every((party) => party.life() !== undefined) &&
    shadows.every((shadow, index) => shadow.decidedCount() === oracle.reachableCount(parties[index]?.name ?? '')) &&
    network
      .sends()
      .every(
        ({ id, party }) =>
          id === null ||
          network.isKnown(party, id) ||
          network.overlaps?.isCancelled(party, id) === true ||
          oracle.hasVoid(party, id),
      );
  let nextLookMs = 0;
  await scheduler.run(() => {
    if (scheduler.nowMs() - healedMs > liveMs) return true;
    if (scheduler.nowMs() < nextLookMs) return false;
    nextLookMs = scheduler.nowMs() + 500;
    return isConverged();
  });
  for (const deadlineMs = healedMs + liveMs; ;) {
    const lookMs = scheduler.nowMs() + restMs;
    await scheduler.run(() => scheduler.nowMs() >= lookMs);
    const violation = await findViolation(network);
    if (violation === undefined) break;
    // Missing things may still arrive until the deadline; wrong ones stay wrong.
    if (scheduler.nowMs() > deadlineMs) throw violation;
  }
  for (const application of network.applications) application.part();
  const partedMs = scheduler.nowMs() + restMs;
  await scheduler.run(() => scheduler.nowMs() >= partedMs);
  for (const application of network.applications) await application.checkParted();
  if (drawn.hasLateJoiner) sometimes('late joiner caught up');
}

import { register } from 'node:module';
import { MessageChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Planting } from './load-hook.js';
import type { Plant } from './plant.js';

/** The work of one thread: loads the code with the plant and runs seeds until one fails. */
export interface Task {
  readonly plant: Plant;
  /** In the order in which they are tried. */
  readonly seeds: readonly number[];
}

/** The result of a task. */
export interface Harvest {
  /** The seed that failed, or undefined. */
  readonly seed: number | undefined;
  /** Number of seeds run. */
  readonly tried: number;
  readonly invariant: string;
  readonly sentence: string;
}

const { plant, seeds } = workerData as Task;
const { port1, port2 } = new MessageChannel();
register<Planting>('./load-hook.js', {
  parentURL: import.meta.url,
  data: { patches: plant.patches, port: port2 },
  transferList: [port2],
});
// From here on all code with plants must be loaded through the hook.
const { runSeed } = await import('../run-seed.js');
assertPlanted();
parentPort?.postMessage(await firstCatch());

/** Checks that all patched files were loaded; otherwise no seed could find the bug. */
function assertPlanted(): void {
  const left = plant.patches.map(({ file }) => file);
  for (let told = receiveMessageOnPort(port1); told !== undefined; told = receiveMessageOnPort(port1)) {
    left.splice(left.indexOf(String(told.message)), 1);
  }
  port1.close();
  if (left.length > 0) throw new Error(`${plant.id}: the simulator does not load ${left.join(', ')}`);
}

async function firstCatch(): Promise<Harvest> {
  for (const [index, seed] of seeds.entries()) {
    const { failure } = await runSeed(seed);
    if (failure === undefined) continue;
    return { seed, tried: index + 1, invariant: failure.invariant, sentence: failure.error.message };
  }
  return { seed: undefined, tried: seeds.length, invariant: '', sentence: '' };
}

import { register } from 'node:module';
import { MessageChannel, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { runSeed as RunSeed } from '../run-seed.js';
import type { Planting } from './load-hook.js';
import { urlWithPlant } from './plant-url.js';
import { plants } from './plants/all.js';

/** Runs the code with one plant until a seed fails. */
export interface Trial {
  /** The id of the plant. */
  readonly id: string;
  /** In the order in which they are tried. */
  readonly seeds: readonly number[];
}

/** The result of a trial. */
export interface Outcome {
  /** The seed that failed, or undefined. */
  readonly seed: number | undefined;
  /** Number of seeds run. */
  readonly tried: number;
  readonly invariant: string;
  readonly sentence: string;
}

const { port1, port2 } = new MessageChannel();
register<Planting>('./load-hook.js', { parentURL: import.meta.url, data: { port: port2 }, transferList: [port2] });
parentPort?.on('message', (trial: Trial) => {
  void tryPlant(trial).then((outcome) => parentPort?.postMessage(outcome));
});

/** Rejects if the plant does not fit the code. */
async function tryPlant({ id, seeds }: Trial): Promise<Outcome> {
  const url = urlWithPlant(new URL('../run-seed.js', import.meta.url).href, id);
  const { runSeed } = (await import(url)) as { runSeed: typeof RunSeed };
  assertPlanted(id);
  for (const [index, seed] of seeds.entries()) {
    const { failure } = await runSeed(seed);
    if (failure === undefined) continue;
    return { seed, tried: index + 1, invariant: failure.invariant, sentence: failure.error.message };
  }
  return { seed: undefined, tried: seeds.length, invariant: '', sentence: '' };
}

/** Checks that all patched files were loaded; otherwise no seed could find the bug. */
function assertPlanted(id: string): void {
  const left = plants.find((plant) => plant.id === id)?.patches.map(({ file }) => file) ?? [];
  for (let told = receiveMessageOnPort(port1); told !== undefined; told = receiveMessageOnPort(port1)) {
    left.splice(left.indexOf(String(told.message)), 1);
  }
  if (left.length > 0) throw new Error(`${id}: the simulator does not load ${left.join(', ')}`);
}

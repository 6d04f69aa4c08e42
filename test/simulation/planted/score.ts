import { Worker } from 'node:worker_threads';
import type { Harvest, Task } from './field.js';
import type { Plant } from './plant.js';

/** A plant and what became of it. */
export interface Score extends Harvest {
  readonly plant: Plant;
}

export interface ScoreParts {
  readonly plants: readonly Plant[];
  /** The seeds to try for a plant, in this order. */
  readonly seedsOf: (plant: Plant) => readonly number[];
  /** How many plants are tried at once, each in a thread of its own. */
  readonly threads: number;
  /** The built code of this folder. */
  readonly built: URL;
  readonly onScore?: (score: Score) => void;
}

/** Of the plants, this share must be caught . */
const leastCaught = 0.95;

/** Whether the seeds notice enough of what is wrong. */
export function areEnough(scores: readonly Score[]): boolean {
  return scores.filter(({ seed }) => seed !== undefined).length >= leastCaught * scores.length;
}

/**
 * Lets the seeds look for each plant. Rejects when a plant is not for this code: a patch that has no place, or one that
 * the simulator never loads.
 */
export async function scorePlants({ plants, seedsOf, threads, built, onScore }: ScoreParts): Promise<Score[]> {
  const queue = [...plants];
  const scores: Score[] = [];
  await Promise.all(
    Array.from({ length: threads }, async () => {
      for (let plant = queue.shift(); plant !== undefined; plant = queue.shift()) {
        const score = { plant, ...(await runField({ plant, seeds: seedsOf(plant) }, built)) };
        scores.push(score);
        onScore?.(score);
      }
    }),
  );
  return scores.sort((a, b) => plants.indexOf(a.plant) - plants.indexOf(b.plant));
}

function runField(task: Task, built: URL): Promise<Harvest> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('field.js', built), { workerData: task });
    worker.on('message', resolve);
    worker.on('error', (error) => {
      reject(new Error(`the plant ${task.plant.id} cannot be tried`, { cause: error }));
    });
    worker.on('exit', (code) => {
      reject(new Error(`the thread of the plant ${task.plant.id} ended with ${code}`));
    });
  });
}

/** The score as a table for people, one line per plant and the sum. */
export function tableOf(scores: readonly Score[]): string {
  const lines = scores.map(({ plant, seed, tried, invariant }) => {
    const result = seed === undefined ? `MISSED in ${tried}` : `caught by ${invariant}`;
    return [plant.id.padEnd(4), result.padEnd(17), `seeds ${tried}`.padEnd(12), plant.bug].join('  ');
  });
  const caught = scores.filter(({ seed }) => seed !== undefined).length;
  return [...lines, `${caught} of ${scores.length} caught (${percent(caught, scores.length)})`].join('\n');
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

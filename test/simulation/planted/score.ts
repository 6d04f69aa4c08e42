import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Plant } from './plant.js';
import type { Outcome, Trial } from './trial.js';

/** A plant and its result. */
export interface Score extends Outcome {
  readonly plant: Plant;
}

export interface ScoreParts {
  readonly plants: readonly Plant[];
  /** The seeds to try for a plant, in order. */
  readonly seedsOf: (plant: Plant) => readonly number[];
  /** Number of threads, each of which tries one plant after the other. */
  readonly threads: number;
  /** The built code of this folder. */
  readonly built: URL;
  readonly onScore?: (score: Score) => void;
}

/** The share of plants that must be caught. */
const leastCaught = 0.95;

/** Whether enough plants were caught. */
export function areEnough(scores: readonly Score[]): boolean {
  return scores.filter(({ seed }) => seed !== undefined).length >= leastCaught * scores.length;
}

/**
 * Runs seeds for each plant. Rejects for a plant that does not fit the code: a patch without a place, or in a file that
 * is never loaded.
 */
export async function scorePlants({ plants, seedsOf, threads, built, onScore }: ScoreParts): Promise<Score[]> {
  const queue = [...plants];
  const scores: Score[] = [];
  await Promise.all(
    Array.from({ length: Math.min(threads, plants.length) }, async () => {
      const thread = new Worker(new URL('trial.js', built));
      const ended = once(thread, 'exit').then(([code]): never => {
        throw new Error(`the thread ended with ${code}`);
      });
      try {
        for (let plant = queue.shift(); plant !== undefined; plant = queue.shift()) {
          const score = { plant, ...(await tryIn(thread, ended, { id: plant.id, seeds: seedsOf(plant) })) };
          scores.push(score);
          onScore?.(score);
        }
      } finally {
        await thread.terminate();
      }
    }),
  );
  return scores.sort((a, b) => plants.indexOf(a.plant) - plants.indexOf(b.plant));
}

/** Rejects if the thread fails or ends. */
async function tryIn(thread: Worker, ended: Promise<never>, trial: Trial): Promise<Outcome> {
  thread.postMessage(trial);
  try {
    const [outcome] = (await Promise.race([once(thread, 'message'), ended])) as [Outcome];
    return outcome;
  } catch (error) {
    throw new Error(`the plant ${trial.id} cannot be tried`, { cause: error });
  }
}

/** Formats the scores, one line for each plant and the total. */
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

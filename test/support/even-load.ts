import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of the paths of the slowest long tests, the slowest first. They start first, so that none ends last. */
export const slowest: readonly string[] = [
  '/long/engines/export',
  '/long/load/fleet',
  '/long/engines/scenario/all-external',
  '/long/engines/docker.',
  '/long/engines/mixed-versions',
  '/long/engines/external-chain',
  '/long/walks/cli-streams',
  '/long/engines/external-geth',
  '/long/recovery/failures',
  '/long/engines/postgres',
  '/long/walks/cli-stack-flags',
  '/long/engines/',
  '/long/load/',
  '/long/browser/budgets',
  '/long/browser/failing/failing-endpoints',
  '/long/browser/records/every-record',
  '/seeds/reorganisation',
  '/seeds/second',
  '/seeds/first',
  '/seeds/sqlite',
  '/seeds/bites',
  '/seeds/token',
  '/seeds/listener',
];

/** Unit tests that mostly wait: for timers, locks, and processes that start again. */
export const waiting: readonly string[] = [
  '/adapters/blockchain/submit',
  '/adapters/database/write-watch',
  '/adapters/database/postgres',
  '/adapters/data-exchange/intruders',
  '/adapters/files/lock',
  '/http/bodies/body-timeouts',
  '/http/program',
  '/sharedstore/main',
  '/stack/places/lock',
];

type File = TestSpecification;

const isOneOf =
  (parts: readonly string[]) =>
  ({ moduleId }: File): boolean =>
    parts.some((part) => moduleId.includes(part));

function rankOf({ moduleId }: File): number {
  const found = slowest.findIndex((part) => moduleId.includes(part));
  return found < 0 ? slowest.length : found;
}

/** Returns each file with the share of the weights of all files before it. */
function placed(files: readonly File[], weightOf: (file: File) => number) {
  const weights = files.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  return files.map((file, index) => {
    const place = before / total;
    before += weights[index] ?? 0;
    return { file, place };
  });
}

/**
 * Spreads some files evenly among the others, so that files that keep a core busy run next to files that wait.
 *
 * @param weightOf estimates how long one of the others runs
 */
function spread(files: readonly File[], isSome: (file: File) => boolean, weightOf: (file: File) => number): File[] {
  const some = placed(files.filter(isSome), () => 1);
  const others = placed(
    files.filter((file) => !isSome(file)),
    weightOf,
  );
  return [...some, ...others].toSorted((left, right) => left.place - right.place).map(({ file }) => file);
}

/** Keeps all cores busy until the end. Files are otherwise in the order of the base class: larger ones first. */
export class EvenLoad extends BaseSequencer {
  override async sort(files: File[]): Promise<File[]> {
    const sorted = (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
    const inProjects = (...names: readonly string[]) => sorted.filter(({ project }) => names.includes(project.name));
    const [unit, long] = [inProjects('unit'), inProjects('long', 'long-seeds')];
    const others = sorted.filter((file) => !unit.includes(file) && !long.includes(file));
    return [
      ...others,
      ...spread(unit, isOneOf(waiting), ({ moduleId }) => statSync(moduleId).size),
      ...spread(long, isOneOf(['/long/seeds/']), () => 1),
    ];
  }
}

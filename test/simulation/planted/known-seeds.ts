import { readFileSync, writeFileSync } from 'node:fs';

const heading =
  '# The first seed that notices each plant, or `missed`. `npm run sim -- --planted --record` writes this file.';

/** The seed that found a plant before, or `missed` if none did. A change of the simulator may make it stale. */
export type KnownSeed = number | 'missed';

/** Returns the known seeds by plant. */
export function readKnownSeeds(file: URL): ReadonlyMap<string, KnownSeed> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [id = '', seed = ''] = line.split(' ');
        return [id, seed === 'missed' ? seed : Number(seed)];
      }),
  );
}

export function writeKnownSeeds(file: URL, seeds: ReadonlyMap<string, KnownSeed>): void {
  const lines = [...seeds].map(([id, seed]) => `${id} ${seed}`);
  writeFileSync(file, [heading, ...lines, ''].join('\n'));
}

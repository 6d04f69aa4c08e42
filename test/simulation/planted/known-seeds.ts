import { readFileSync, writeFileSync } from 'node:fs';

const heading = '# The first seed that notices each plant. `npm run sim -- --planted --record` writes this file.';

/** By plant: the seed that noticed it before. A change of the simulator may make it stale. */
export function readKnownSeeds(file: URL): ReadonlyMap<string, number> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const [id = '', seed = ''] = line.split(' ');
        return [id, Number(seed)];
      }),
  );
}

export function writeKnownSeeds(file: URL, seeds: ReadonlyMap<string, number>): void {
  const lines = [...seeds].map(([id, seed]) => `${id} ${seed}`);
  writeFileSync(file, [heading, ...lines, ''].join('\n'));
}

import { finding } from './finding.js';
import type { Source } from './sources.js';

/** The stages of a message's life (docs/architecture.md §2). Other rooms of `pipeline/` serve several of them. */
const stages = ['accept', 'batch', 'dispatch', 'receive', 'aggregate', 'deliver'];

/** Finds imports of a stage by another room of `pipeline/`; only the composers at its root join stages. */
export function stageCrossings(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const from = roomOf(source.path);
    if (from === undefined) return [];
    const strange = source.imports.filter(({ file }) => {
      const to = roomOf(file ?? '');
      return to !== undefined && to !== from && stages.includes(to);
    });
    return strange.map((each) =>
      finding(source, each.line, `imports ${each.specifier}`, 'No stage imports another: move what both need.'),
    );
  });
}

function roomOf(path: string): string | undefined {
  return /^src\/pipeline\/([^/]+)\//.exec(path)?.[1];
}

import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { overBudget, type Part } from './budget.js';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The last build step: checks the size budgets, and lists the files that the node may serve. */
export function finish(): Plugin {
  return {
    name: 'parley:finish',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const parts: Part[] = [];
        const files: { name: string; type: string }[] = [];
        for (const [name, each] of Object.entries(bundle)) {
          const type = types[extname(name)];
          if (type === undefined) continue;
          files.push({ name, type });
          const bytes = each.type === 'chunk' ? each.code : each.source;
          const isEntry = each.type === 'chunk' ? each.isEntry : false;
          const imports = each.type === 'chunk' ? each.imports : [];
          const styles = each.type === 'chunk' ? [...(each.viteMetadata?.importedCss ?? [])] : [];
          parts.push({ name, isEntry, imports, styles, gzipBytes: gzipSync(bytes).length });
        }
        const problems = overBudget(parts);
        if (problems.length > 0) this.error(problems.join('\n'));
        this.emitFile({ type: 'asset', fileName: 'files.json', source: JSON.stringify({ files }) });
      },
    },
  };
}

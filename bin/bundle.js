// The settings with which vite makes one file of the program of the threads that judge: to load its modules one by one
// takes longer than most judgements. The file stands beside what the compiler writes.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join('dist', 'adapters', 'judge');

export default {
  root: dirname(dirname(fileURLToPath(import.meta.url))),
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: join(folder, 'thread.js'),
    outDir: folder,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'thread.mjs', codeSplitting: false } },
  },
};

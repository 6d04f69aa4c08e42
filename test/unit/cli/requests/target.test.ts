import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTarget } from '../../../../src/cli/requests/target.js';
import { createStack } from '../../../../src/stack/create.js';
import { placeFrom } from '../../../../src/stack/layout.js';
import { loadStack } from '../../../../src/stack/places/locate.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { memoryOutput } from '../memory-output.js';

const folder = mkdtempSync(join(tmpdir(), 'parley-target-'));
const environment = { STACK_HOME: folder, XDG_RUNTIME_DIR: folder };
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a stack that is stopped', () => {
  it('is said to be so, with the command that starts it, although it keeps its ports', async () => {
    const place = placeFrom(environment);
    await createStack(place, { name: 'dev', parties: ['alice', 'bob'], workingDirectory: folder });
    const { layout } = await loadStack(place, 'dev');
    await writeJsonFile(layout.ports, { base: 1, chain: 1, store: 2, parties: { alice: 3, bob: 4 } });
    const { output } = memoryOutput();
    await expect(openTarget({}, { output, environment, program: 'parley' })).rejects.toMatchObject({
      code: 'NOT_RUNNING',
      message: 'dev is not running.',
      hint: 'Start it: parley start dev',
    });
  });
});

import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readRunningPlan } from '../../../../src/stack/running/running-plan.js';
import { writeJsonFile } from '../../../../src/supervisor/files/json-file.js';
import { aLayout, aPlace } from '../fixtures/place.js';

test('a damaged plan is refused with the command that writes it again', async () => {
  const layout = aLayout(aPlace());
  await writeJsonFile(layout.plan, {});
  for (const text of ['', '{', '{}']) {
    await writeFile(layout.plan, text);
    await expect(readRunningPlan(layout)).rejects.toMatchObject({
      code: 'STATE_INVALID',
      exitCode: 10,
      hint: 'Write it again: stack restart',
    });
  }
});

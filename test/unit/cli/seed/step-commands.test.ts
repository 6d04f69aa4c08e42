import { expect, it } from 'vitest';
import { loadStep, triggerNames } from '../../../../src/cli/seed/step-commands.js';

it.each(triggerNames)('loads the command %s with its id, by which its errors name it', async (name) => {
  expect(await loadStep(name)).toHaveProperty('id', name.replaceAll(' ', ':'));
});

import { expect, it } from 'vitest';
import { loadStep, triggerNames } from '../../../../src/cli/seed/step-commands.js';

it.each(triggerNames)('loads the command %s with its id, which its errors name', async (name) => {
  expect(await loadStep(name)).toHaveProperty('id', name.replaceAll(' ', ':'));
});

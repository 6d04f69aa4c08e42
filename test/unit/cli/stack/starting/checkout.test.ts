import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { findCheckedOut } from '../../../../../src/cli/stack/starting/checkout.js';
import { createStack } from '../../../../../src/stack/create.js';
import { placeFrom } from '../../../../../src/stack/layout.js';
import { loadAppliedStack, loadStack } from '../../../../../src/stack/places/locate.js';
import { aPlace } from '../../../stack/fixtures/place.js';
import { memoryOutput } from '../../memory-output.js';

it('a project that was moved starts anew, and reports how to restore its stack', async () => {
  const { home } = aPlace();
  const environment = { STACK_HOME: home };
  const place = placeFrom(environment);
  const [before, after] = [join(dirname(home), 'before'), join(dirname(home), 'after')];
  await mkdir(before);
  await createStack(place, { name: 'dev', template: 'minimal', here: true, workingDirectory: before });
  await rename(before, after);
  vi.spyOn(process, 'cwd').mockReturnValue(after);
  const { output, err } = memoryOutput();
  expect((await findCheckedOut(place, {}, { output, environment, program: 'stack' }))?.name).toMatch(
    /^dev-[0-9a-f]{4}$/,
  );
  expect(err()).toContain(`If this is the project of dev, move it back to ${before} to use dev again`);
  for (const load of [loadStack, loadAppliedStack])
    await expect(load(place, 'dev')).rejects.toMatchObject({
      message: `There is no file ${join(before, 'stack.yaml')}.`,
      hint: 'If its project was moved, move it back. To give the stack up: stack remove dev',
    });
});

it('a stack without its definition says how to restore it or give it up', async () => {
  const place = aPlace();
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  const { definitionFile } = await loadStack(place, 'dev');
  await rm(definitionFile);
  await expect(loadStack(place, 'dev')).rejects.toMatchObject({
    message: `There is no file ${definitionFile}.`,
    hint: 'Restore it from a copy. To give the stack up: stack remove dev',
  });
});

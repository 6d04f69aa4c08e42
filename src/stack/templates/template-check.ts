import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStack } from '../create.js';
import { loadStack } from '../places/locate.js';
import type { Place } from '../layout.js';
import { removeStack } from '../remove.js';
import { renderTemplate } from '../definition/render.js';
import { parseStackFile } from '../definition/stack-file.js';
import { startStack } from '../running/start.js';
import type { StartOptions } from '../running/start-options.js';
import type { Template } from './template.js';

/**
 * Renders a template with its defaults and validates the result; returns its text.
 *
 * @throws StackError TEMPLATE_INVALID, STACK_FILE_INVALID with the lines of its `stack.yaml`
 */
export function checkTemplate(template: Template): string {
  const text = renderTemplate(template, { name: exampleName }, []);
  parseStackFile(text, join(template.directory, 'stack.yaml'));
  return text;
}

const exampleName = 'example';

/**
 * Starts a stack of a template in a temporary location, on ports chosen by the system, and removes it. Resolves with
 * the duration of the start in milliseconds.
 *
 * @throws StackError as `startStack`
 */
export async function tryTemplate(place: Place, template: Template, options: StartOptions): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'parley-template-'));
  const own: Place = { ...place, home, runtimeDirectory: join(home, 'run') };
  try {
    const settings = [{ path: ['ports', 'base'], value: 'os' }];
    const request = { name: exampleName, template: template.directory, settings, workingDirectory: home };
    const { name } = await createStack(own, request);
    const stack = await loadStack(own, name);
    try {
      return (await startStack(stack, options)).durationMs;
    } finally {
      await removeStack(stack, { force: true });
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

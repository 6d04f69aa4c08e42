import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { isErrno } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { requireName } from '../create.js';
import { StackError } from '../error.js';
import type { Place } from '../layout.js';
import { type Template, userTemplates } from './template.js';
import { filesOf, placeFiles } from './template-files.js';

export interface NewTemplate {
  readonly name: string;
  readonly from: Template;
  /** Creates it below this directory; undefined: with the user's own. */
  readonly project: string | undefined;
}

/**
 * Creates a template as a copy of another and returns its directory. A failure leaves nothing.
 *
 * @throws StackError NAME_INVALID; NAME_EXISTS if the directory exists
 */
export async function createTemplate(place: Place, { name, from, project }: NewTemplate): Promise<string> {
  requireName(name, 'A template');
  const directory = join(project === undefined ? userTemplates(place) : join(project, 'templates'), name);
  const temporary = `${directory}.${randomBytes(4).toString('hex')}.tmp`;
  await makeDirectory(dirname(directory));
  await mkdir(temporary);
  try {
    await writeFile(join(temporary, 'template.yaml'), descriptionOf(name, from));
    await writeFile(join(temporary, 'stack.yaml'), from.text.replace(/^template: .*$/m, `template: ${name}@1`));
    await placeFiles(await filesOf(from.directory), temporary);
    // Renaming onto a non-empty directory fails.
    await rename(temporary, directory);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    if (!isErrno(cause, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw cause;
    throw new StackError('NAME_EXISTS', `The template ${name} already exists in ${directory}.`, {
      hint: 'Choose another name, or edit that one.',
      cause,
    });
  }
  return directory;
}

function descriptionOf(name: string, { description, parameters, base }: Template): string {
  const text = stringify({ name, version: 1, description, ...(base && { extends: base.name }), parameters });
  return `# The description of the template, and the parameters that its stack.yaml uses as \${name}.\n${text}`;
}

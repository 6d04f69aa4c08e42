import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textOf } from '../../wire/json/json.js';
import { CliError } from '../errors/exit.js';
import { writeProblem } from '../errors/file-problem.js';
import { result } from '../terminal/output.js';

/** Checks that the file of `--out` can be written. @throws CliError USAGE */
export async function checkReportFile(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  try {
    await access(`${dirname(path)}/.`, constants.W_OK);
    if (await isDirectory(path)) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** Writes a report as JSON to the file of `--out`, if there is one. @throws CliError USAGE */
export async function writeReport(path: string | undefined, report: object): Promise<void> {
  if (path === undefined) return;
  await writeFile(path, `${textOf(result({ ...report }))}\n`).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
}

/** Whether a path is a directory; false if that cannot be read, so that writing the report fails instead. */
function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

function unwritable(path: string, cause: unknown): CliError {
  return new CliError('USAGE', `--out: ${path} cannot be written: ${writeProblem(cause)}.`, { cause });
}

import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packArchive } from '../../stack/archive.js';
import { makeOwnDirectory, writeOwnFile } from '../../stack/places/own-files.js';
import { loadApplied, type LocatedStack, type Stack } from '../../stack/places/locate.js';
import { ownVersion } from '../../stack/upgrade/own-version.js';
import { readSecrets } from '../../stack/keys/secrets.js';
import { stackStatus } from '../../stack/status.js';
import { textOf } from '../../wire/json/json.js';
import { result } from '../terminal/output.js';
import { statusMembers } from '../stack/watching/view.js';
import { askParties } from './parties.js';
import { createRedact, type Redact, redacted } from './redact.js';

export interface DumpOptions {
  /** The directory in which the dump is created. */
  readonly directory: string;
  /** Number of newest events per party. */
  readonly events: number;
  readonly isTar: boolean;
}

/** The written dump, and the parts that failed. */
export interface Dump {
  readonly path: string;
  readonly problems: readonly string[];
}

/**
 * Writes the state of a stack to a new directory or archive for diagnosis: logs, traces of failed starts, definition,
 * status, versions, and for each running party its newest events and pending messages. It contains no secrets. For a
 * stopped or broken stack it contains what is available.
 *
 * @throws the system's error if nothing can be written
 */
export async function dumpStack(stack: LocatedStack, options: DumpOptions): Promise<Dump> {
  const name = `${stack.name}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const path = resolve(options.directory, name);
  const problems: string[] = [];
  const redact = createRedact(await readSecrets(stack.layout));
  await makeOwnDirectory(path);
  await copyFiles(stack, path, redact, problems);
  const applied = await loadApplied(stack).catch((problem: unknown) => ({ stack: undefined, problem }));
  if (applied.problem !== undefined) {
    const instead = applied.stack === undefined ? '' : ' The settings of the last start are used.';
    problems.push(`The definition cannot be read: ${messageOf(applied.problem)}${instead}`);
  }
  const save = (file: string, text: string) => writeOwnFile(join(path, file), redact(text));
  if (applied.stack !== undefined) await saveLive(applied.stack, options.events, save, problems);
  const versions = { parley: await ownVersion(), node: process.versions.node, platform: process.platform };
  const summary = { name: stack.name, at: new Date().toISOString(), versions, problems };
  await save('dump.json', textOf(result(summary)));
  if (!options.isTar) return { path, problems };
  await packArchive(path, `${path}.tar.gz`);
  await rm(path, { recursive: true, force: true });
  return { path: `${path}.tar.gz`, problems };
}

/** Saves the responses of the running services. */
async function saveLive(
  stack: Stack,
  events: number,
  save: (file: string, text: string) => Promise<void>,
  problems: string[],
): Promise<void> {
  try {
    await save('status.json', textOf(result(statusMembers(await stackStatus(stack)))));
    for (const { party, subject, text, problem } of await askParties(stack, events)) {
      if (problem !== undefined) problems.push(`${subject} of ${party}: ${problem}`);
      if (text !== undefined) await save(join('parties', party, `${subject}.json`), text);
    }
  } catch (error) {
    problems.push(`The status cannot be read: ${messageOf(error)}`);
  }
}

/** Copies the files that describe a stack, except keys and data. */
async function copyFiles(stack: LocatedStack, target: string, redact: Redact, problems: string[]): Promise<void> {
  const { layout } = stack;
  const single = [layout.versions, layout.ports, layout.contracts, layout.accounts, layout.genesis];
  const volatile = [layout.plan, layout.state];
  const copies = [
    [stack.definitionFile, 'stack.yaml'] as const,
    ...single.map((path) => [path, basename(path)] as const),
    ...volatile.map((path) => [path, join('run', basename(path))] as const),
    ...(await filesBelow(layout.logs)).map((path) => [join(layout.logs, path), join('logs', path)] as const),
    ...(await filesBelow(layout.crash)).map((path) => [join(layout.crash, path), join('crash', path)] as const),
  ];
  for (const [from, to] of copies) {
    try {
      await makeOwnDirectory(dirname(join(target, to)));
      await pipeline(
        createReadStream(from),
        (source: AsyncIterable<Uint8Array>) => redacted(source, redact),
        createWriteStream(join(target, to), { mode: 0o600 }),
      );
    } catch (error) {
      // Some files do not exist in every stack.
      await rm(join(target, to), { force: true });
      if (!isAbsent(error)) problems.push(`${from} cannot be copied: ${messageOf(error)}`);
    }
  }
}

async function filesBelow(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

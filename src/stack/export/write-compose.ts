import { constants, copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeJsonFile } from '../../supervisor/files/json-file.js';
import { createPrivateFile, makeDirectory } from '../../supervisor/files/private-file.js';
import type { Layout } from '../layout.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { publicUrlOf } from '../running/node-config.js';
import { copyData } from '../snapshot/saving/copy.js';
import { makeFolder } from './folder.js';
import { composeText, environmentText } from './compose.js';
import { type ExportedNetwork, exportNetwork, type ExportOptions } from './network.js';
import { readmeText } from './readme.js';

export interface ExportedFolder {
  readonly directory: string;
  readonly image: string;
  readonly hasData: boolean;
  /** The addresses of the nodes on the machine where the folder is started. */
  readonly urls: Readonly<Record<string, string>>;
}

/**
 * Writes a folder that starts the network of a stack with Compose: the description, the configurations, the keys, and
 * with data the history.
 *
 * @throws StackError as `exportNetwork`; NAME_EXISTS if the folder is not empty
 */
export async function writeCompose(stack: Stack, directory: string, options: ExportOptions): Promise<ExportedFolder> {
  return withLock(stack.layout.lock, 'export compose', async () => {
    const network = await exportNetwork(stack, options);
    await makeFolder(directory);
    await writeState(stack.layout, network, directory);
    const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
    await createPrivateFile(join(directory, '.env'), environmentText(network, user));
    await createPrivateFile(join(directory, 'README.md'), readmeText(network));
    // Last, since a folder without it is not a complete export.
    await createPrivateFile(join(directory, 'compose.yaml'), composeText(network));
    const { image, hasData, ports, settings } = network;
    const urls = settings.parties.map(({ name }) => [name, publicUrlOf(settings, name, ports.parties[name])] as const);
    return { directory, image, hasData, urls: Object.fromEntries(urls) };
  });
}

async function writeState(layout: Layout, network: ExportedNetwork, directory: string): Promise<void> {
  const inFolder = (...names: readonly string[]) => join(directory, ...names);
  for (const { source, path } of network.secrets) await copyPrivate(source, inFolder('keys', path));
  for (const { name, config } of [...network.services, ...network.tasks]) {
    await makeDirectory(inFolder('config'));
    await writeJsonFile(inFolder('config', `${name}.json`), config.value);
  }
  for (const { name, kind } of network.services) {
    await makeDirectory(kind === 'node' ? inFolder('data', 'nodes', name) : inFolder('data', name));
    if (kind === 'node') await makeDirectory(inFolder('keys', name, 'wallet'));
  }
  await makeDirectory(inFolder('network'));
  if (!network.hasData) return;
  await copyData(layout.data, inFolder('data'), { mayLink: false });
  await copyPrivate(layout.contracts, inFolder('network', 'contracts.json'));
}

async function copyPrivate(from: string, to: string): Promise<void> {
  await makeDirectory(dirname(to));
  await copyFile(from, to, constants.COPYFILE_EXCL);
}

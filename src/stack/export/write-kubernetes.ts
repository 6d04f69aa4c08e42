import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { createPrivateFile } from '../../supervisor/files/private-file.js';
import { createSigner } from '../running/contracts.js';
import { type Contracts, ContractsFile } from '../running/contracts-file.js';
import { StackError } from '../error.js';
import { operatorKeyFile } from '../keys/keys.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { makeFolder } from './folder.js';
import { manifestsText, networkManifests, secretManifests } from './kubernetes.js';
import { exportNetwork } from './network.js';

export interface ExportedManifests {
  readonly directory: string;
  readonly image: string;
}

/**
 * Writes the manifests that start the network of a stack in a cluster: `secrets.yaml`, and `network.yaml` with the
 * rest.
 *
 * @throws StackError as `exportNetwork`; EXPORT_REFUSED for a network that needs its history; NAME_EXISTS if the folder
 * is not empty
 */
export async function writeKubernetes(stack: Stack, directory: string): Promise<ExportedManifests> {
  return withLock(stack.layout.lock, 'export kubernetes', async () => {
    const { settings, layout } = stack;
    const network = await exportNetwork(stack, { advertise: null });
    if (network.hasData) {
      const setting = settings.chain.external === null ? 'database.provider is postgres' : 'chain.provider is url';
      const what = `${setting}: nodes need their history, which manifests cannot put into the volumes of a cluster`;
      throw new StackError('EXPORT_REFUSED', `${what}.`, { hint: 'Include it with: stack export compose' });
    }
    const texts = network.secrets.map(async ({ source, path }) => [path, await readFile(source, 'utf8')] as const);
    const known = await readJsonFile(layout.contracts, ContractsFile);
    const key = (await readFile(operatorKeyFile(layout), 'utf8')).trim();
    const parts = {
      network,
      secretTexts: new Map(await Promise.all(texts)),
      contracts: contractsOf(key, known?.genesisHash ?? '', settings.chain.chainId, settings.tokens.connectors),
    };
    await makeFolder(directory);
    await createPrivateFile(join(directory, 'secrets.yaml'), manifestsText(secretManifests(parts)));
    await createPrivateFile(join(directory, 'network.yaml'), manifestsText(networkManifests(parts)));
    return { directory, image: network.image };
  });
}

/** The contracts as the operator's first transactions on a new chain deploy them. */
export function contractsOf(
  operatorKey: string,
  genesisHash: string,
  chainId: number,
  connectors: readonly string[],
): Contracts {
  const signer = createSigner(operatorKey, chainId, { abi: [], bytecode: '0x' });
  const at = (nonce: number) => ({ address: signer.createdAt(nonce), block: 1 });
  return {
    chainId,
    genesisHash,
    network: at(0),
    tokens: connectors.map((name, index) => ({ name, ...at(index + 1) })),
  };
}

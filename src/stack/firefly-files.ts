import { dirname, join } from 'node:path';
import { updateJsonFile } from '../supervisor/files/json-file.js';
import { type Accounts, readAccounts } from './keys/accounts.js';
import type { Layout } from './layout.js';
import type { Stack } from './places/locate.js';
import { makeOwnDirectory } from './places/own-files.js';
import type { StackStatus } from './status.js';
import { readWallet } from './keys/wallet-files.js';

/** The files for tools that expect a stack directory of FireFly's command line (docs/operations.md §2). */
export function fireflyFiles({ firefly }: Layout) {
  return {
    stack: join(firefly, 'stack.json'),
    state: join(firefly, 'stackState.json'),
    runtimeState: join(firefly, 'runtime', 'stackState.json'),
  };
}

/**
 * Describes a stack in the files of FireFly's command line, without keys and credentials. Parley itself never reads
 * them. Resolves with the status.
 */
export async function writeFireflyFiles(stack: Stack, status: StackStatus): Promise<StackStatus> {
  const accounts = await readAccounts(stack.layout);
  if (accounts === undefined) return status;
  const files = fireflyFiles(stack.layout);
  await makeOwnDirectory(dirname(files.runtimeState));
  const state = await stateOf(stack, status, accounts);
  await updateJsonFile(files.stack, stackOf(stack, status, accounts));
  for (const file of [files.state, files.runtimeState]) await updateJsonFile(file, state);
  return status;
}

function stackOf({ name, settings }: Stack, { services, contracts }: StackStatus, { parties }: Accounts) {
  const rowOf = (service: string) => services.find((row) => row.name === service);
  const portOf = (service: string) => rowOf(service)?.port ?? 0;
  const chain = portOf('chain');
  return {
    name,
    database: settings.parties.some(({ database }) => database !== undefined) ? 'postgres' : 'sqlite3',
    multiparty: true,
    chainID: settings.chain.external === null ? settings.chain.chainId : (contracts?.chainId ?? 0),
    exposedBlockchainPort: chain,
    exposedGethPort: chain,
    blockchainProvider: 'ethereum',
    tokenProviders: settings.tokens.connectors,
    contractAddress: contracts?.network.address ?? '',
    sandboxEnabled: false,
    prometheusEnabled: false,
    members: settings.parties.map(({ name: party, organization, node }, index) => {
      const address = parties[party]?.signing ?? '';
      return {
        id: String(index),
        index,
        account: { address, orgName: organization },
        address,
        exposedFireflyPort: portOf(party),
        ...addressOf(rowOf(party)?.url),
        exposedDataexchangePort: rowOf(party)?.peerPort ?? 0,
        exposedIPFSApiPort: portOf('store'),
        exposedIPFSGWPort: portOf('store'),
        external: rowOf(party)?.isExternal ?? false,
        orgName: organization,
        nodeName: node,
        namespaces: settings.namespaces.map((each) => ({ name: each })),
      };
    }),
  };
}

/** The host of a node, and whether it speaks HTTPS. */
function addressOf(url: string | null | undefined) {
  if (url?.startsWith('https:') !== true) return { fireflyHostname: '127.0.0.1' };
  return { fireflyHostname: new URL(url).hostname, useHttps: true };
}

/** The members' accounts in the order of the definition, followed by the accounts that can be claimed, by party. */
async function stateOf({ layout, settings }: Stack, { contracts }: StackStatus, { parties }: Accounts) {
  const members = settings.parties.map(({ name, organization }) => {
    return { address: parties[name]?.signing ?? '', orgName: organization };
  });
  const wallets = await Promise.all(
    settings.parties.map(async ({ name, organization }) => {
      const addresses = (await readWallet(layout, name)).map(({ address }) => address);
      const spare = parties[name]?.spare ?? [];
      // The spare keys of a wallet come first, in the order of their numbers.
      const ordered = [...spare, ...addresses.filter((address) => !spare.includes(address))];
      return ordered.map((address) => ({ address, orgName: organization }));
    }),
  );
  const network = contracts === null ? [] : [{ name: 'Network', address: contracts.network.address }];
  return {
    deployedContracts: [...network, ...(contracts?.tokens ?? [])].map(({ name, address }) => {
      return { name, location: { address } };
    }),
    accounts: [...members, ...wallets.flat()],
  };
}

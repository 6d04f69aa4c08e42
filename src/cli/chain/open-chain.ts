import type { stackFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import {
  type ChainControl,
  type ChainReader,
  createChainControl,
  createChainReader,
} from '../../stack/engines/chain.js';
import { type Accounts, readAccounts } from '../../stack/keys/accounts.js';
import type { ExternalChain } from '../../stack/settings/chain-settings.js';
import { isGone } from '../../stack/control/control.js';
import type { Stack } from '../../stack/places/locate.js';
import { type ServiceRow, type StackStatus, stackStatus } from '../../stack/status.js';
import { authorizationIn, RpcRefusal } from '../../stack/tasks/exchange.js';
import { readToken, serviceTokenFile } from '../../stack/keys/tokens.js';
import type { NameOf } from './events.js';
import { CliError } from '../errors/exit.js';
import { notRunning } from '../errors/failed-start.js';
import { openRunningStack, type CommandContext } from '../requests/target.js';

export type StackFlags = FlagsOf<typeof stackFlags>;

/** A running chain, and what its stack knows about it. */
interface OpenChain {
  readonly stack: Stack;
  readonly status: StackStatus;
  readonly url: string;
  readonly authFile: string | undefined;
  readonly reader: ChainReader;
  /** Undefined for an external chain. */
  readonly control?: ChainControl;
  readonly accounts: Accounts | undefined;
}

/** Opens the chain of a stack. @throws CliError NOT_RUNNING if it is not running */
export async function openChain(flags: StackFlags, context: CommandContext): Promise<OpenChain> {
  const stack = await openRunningStack(flags, context);
  const [status, accounts] = await Promise.all([stackStatus(stack), readAccounts(stack.layout)]);
  const row = status.services.find(({ kind }) => kind === 'chain');
  const { external } = stack.settings.chain;
  if (external !== null) {
    const reader = createChainReader(external.url, await credentialsOf(external));
    return { stack, status, url: external.url, authFile: external.authFile ?? undefined, reader, accounts };
  }
  if (status.state === 'stopped') throw notRunning(status, context.program);
  if (row?.url == null || row.pid === null) {
    throw new CliError('NOT_RUNNING', `The chain of ${stack.name} is not running.`, {
      hint: `Start it: ${context.program} start ${stack.name}`,
    });
  }
  const authFile = serviceTokenFile(stack.layout, stack.settings, 'chain');
  const token = authFile === undefined ? undefined : await readToken(stack.layout, 'chain');
  const { url } = row;
  const clients = { reader: createChainReader(url, token), control: createChainControl(url, token) };
  return { stack, status, url, authFile, ...clients, accounts };
}

async function credentialsOf({ authFile }: ExternalChain): Promise<{ readonly authorization: string | undefined }> {
  return { authorization: authFile === null ? undefined : await authorizationIn(authFile) };
}

/** The reader of a stack's chain; undefined while the chain is not healthy. */
export async function chainReaderOf(
  { layout, settings }: Stack,
  services: readonly ServiceRow[],
): Promise<ChainReader | undefined> {
  const chain = services.find(({ kind }) => kind === 'chain');
  if (chain?.url == null || chain.state !== 'healthy') return undefined;
  const { external } = settings.chain;
  if (external !== null) return createChainReader(external.url, await credentialsOf(external));
  return createChainReader(chain.url, settings.auth.enabled ? await readToken(layout, 'chain') : undefined);
}

/** The answer of a chain; undefined if it has just stopped, or if an earlier version refuses the call. */
export async function ifAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcRefusal || isGone(error)) return undefined;
    throw error;
  }
}

/** Opens a chain whose mining and clock can be controlled. @throws CliError USAGE for an external chain */
export async function openOwnChain(
  flags: StackFlags,
  context: CommandContext,
): Promise<OpenChain & { readonly control: ChainControl }> {
  const { control, ...chain } = await openChain(flags, context);
  if (control !== undefined) return { ...chain, control };
  throw new CliError(
    'USAGE',
    'The chain is external (chain.provider: url): its mining and clock cannot be controlled.',
  );
}

interface ContractPlace {
  readonly name: string;
  readonly address: string;
  readonly block: number | undefined;
}

/** Every entry of `contracts.json` with an address. */
export function contractsOf({ contracts }: StackStatus): ContractPlace[] {
  return contracts === null ? [] : placesIn('', contracts);
}

function placesIn(path: string, value: unknown): ContractPlace[] {
  if (!(value instanceof Object)) return [];
  const members = new Map<string, unknown>(Object.entries(value));
  const [address, block, own] = [members.get('address'), members.get('block'), members.get('name')];
  if (typeof address === 'string') {
    const name = typeof own === 'string' ? own : path;
    return [{ name, address, block: typeof block === 'number' ? block : undefined }];
  }
  return [...members].flatMap(([key, member]) => placesIn(key, member));
}

/** Returns names of addresses: contracts, the operator, parties and their spare keys. */
export function namesOf(status: StackStatus, accounts: Accounts | undefined): NameOf {
  const names = new Map(contractsOf(status).map(({ name, address }) => [address, name]));
  if (accounts !== undefined) names.set(accounts.operator, 'operator');
  for (const [name, { signing, spare, wallet = [] }] of Object.entries(accounts?.parties ?? {})) {
    names.set(signing, name);
    spare.forEach((address, index) => names.set(address, `${name}/spare-${index + 1}`));
    for (const address of wallet) names.set(address, `${name}/${address.slice(0, 10)}`);
  }
  return (address) => names.get(address.toLowerCase());
}

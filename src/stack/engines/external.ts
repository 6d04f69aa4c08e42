import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { openRequest } from '../../http/client/request.js';
import { discard } from '../../http/client/response.js';
import { pinnedTo } from '../../http/client/trust.js';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { nearestHint } from '../../wire/lists/query.js';
import type { SettingChange } from '../definition/changes.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import { type Layout, nodeData, packageFile } from '../layout.js';
import { nodeConfig } from '../running/node-config.js';
import type { Ports } from '../ports/ports.js';
import type { ExternalChain } from '../settings/chain-settings.js';
import { authorizationIn, createRpcCaller, RpcRefusal } from '../tasks/exchange.js';
import type { Rpc } from './chain/fees.js';

const PlanNames = Type.Object({ external: Type.Optional(Type.Array(Type.String())) });

/** The command by which a user runs a party's node: a program for Node and its only argument. */
export function externalCommand(layout: Layout, party: string): { readonly program: string; readonly config: string } {
  return { program: packageFile('bin/node.js'), config: join(nodeData(layout, party), 'node.json') };
}

/**
 * Checks the parties whose nodes the user runs.
 *
 * @throws StackError SERVICE_NOT_FOUND; EXTERNAL_REFUSED if the ports are not known before the start, or no party
 * remains
 */
export function requireExternal({ parties, ports }: StackSettings, external: readonly string[]): void {
  if (external.length === 0) return;
  const names = parties.map(({ name }) => name);
  const unknown = external.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new StackError('SERVICE_NOT_FOUND', `The stack has no party ${unknown}${nearestHint(unknown, names)}`);
  }
  if (ports.base === 'os') {
    throw new StackError('EXTERNAL_REFUSED', 'The ports of this stack are not known before it runs (ports.base: os).', {
      hint: 'Set ports.base to auto or to a number.',
    });
  }
  if (names.every((name) => external.includes(name))) {
    throw new StackError('EXTERNAL_REFUSED', 'The stack must run the node of at least one party.', {
      hint: 'Leave out --external, or external in stack.yaml, for one of them.',
    });
  }
}

/** Writes the configurations of the nodes that the user runs. */
export async function writeExternalConfigs(
  layout: Layout,
  settings: StackSettings,
  ports: Ports | undefined,
  external: readonly string[],
): Promise<void> {
  for (const party of settings.parties.filter(({ name }) => external.includes(name))) {
    await writeJsonFile(externalCommand(layout, party.name).config, nodeConfig(layout, settings, party, ports));
  }
}

/** The parties whose nodes the user runs at every start. */
export function externalParties({ parties }: StackSettings): readonly string[] {
  return parties.filter(({ isExternal }) => isExternal === true).map(({ name }) => name);
}

/** The parties that the last start named as external, which a restart for changes of the definition keeps. */
export async function keptExternal(
  layout: Pick<Layout, 'plan'>,
  changes: readonly SettingChange[],
): Promise<readonly string[]> {
  const before = changes.find(({ setting }) => setting === 'external')?.before;
  const defined = Array.isArray(before) ? before : [];
  return (await readExternal(layout)).filter((name) => !defined.includes(name));
}

/** The parties of a running stack whose nodes the user runs. */
export async function readExternal({ plan }: Pick<Layout, 'plan'>): Promise<readonly string[]> {
  return (await readJsonFile(plan, PlanNames).catch(() => undefined))?.external ?? [];
}

/** Checks that a running stack has the same external parties. @throws StackError EXTERNAL_REFUSED for others */
export async function requireSameExternal(layout: Pick<Layout, 'plan'>, external: readonly string[]): Promise<void> {
  const actual = await readExternal(layout);
  if ([...actual].sort().join() === [...external].sort().join()) return;
  const names = actual.length === 0 ? 'no external parties' : `these external parties: ${actual.join(', ')}`;
  throw new StackError('EXTERNAL_REFUSED', `The stack already runs with ${names}.`, {
    hint: `stack stop, then: stack start ${external.map((name) => `--external ${name}`).join(' ')}`,
    details: { external: actual },
  });
}

const probeLimitMs = 1_000;

/** Whether the node at an address responds, with its certificate if it has one. */
export async function answers(url: string, certificateFile?: string): Promise<boolean> {
  try {
    const tls = certificateFile === undefined ? {} : pinnedTo([await readFile(certificateFile, 'utf8')]);
    const limits = { totalMs: probeLimitMs };
    const response = await openRequest({ url: new URL('/livez', url), tls, limits });
    await discard(response);
    return response.status === 200;
  } catch {
    return false;
  }
}

const statusLimitMs = 2_000;

/**
 * The reason why nodes cannot use the chain now, as a sentence; undefined if it answers. A chain that accepts
 * connections and knows its id may still answer no call, so this requests its newest block and a dry run.
 */
export async function chainTrouble({ url, authFile }: ExternalChain): Promise<string | undefined> {
  const calls = [['eth_blockNumber'], ['eth_call', { to: `0x${'0'.repeat(40)}`, data: '0x' }, 'latest']] as const;
  try {
    const authorization = authFile === null ? undefined : await authorizationIn(authFile);
    const rpc = createRpcCaller(url, { authorization, limitMs: statusLimitMs });
    const troubles = await Promise.all(calls.map((call) => troubleOf(url, call, rpc)));
    return troubles.find((trouble) => trouble !== undefined);
  } catch {
    return 'chain.authFile: the file of the credentials cannot be read.';
  }
}

async function troubleOf(
  url: string,
  [method, ...parameters]: readonly [string, ...unknown[]],
  rpc: Rpc,
): Promise<string | undefined> {
  try {
    await rpc(method, ...parameters);
    return undefined;
  } catch (error) {
    // A refusal by a contract is an answer, too.
    if (method === 'eth_call' && error instanceof RpcRefusal) return undefined;
    const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
    if (isLate) return `chain.url: ${url} did not answer ${method} within ${statusLimitMs / 1_000} s.`;
    const reason = error instanceof Error ? error.message : String(error);
    return `chain.url: ${url} does not answer ${method}: ${reason || 'no connection'}.`;
  }
}

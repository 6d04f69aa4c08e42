import { readJsonFile } from '../supervisor/files/json-file.js';
import type { ServiceState, ServiceView, SupervisorStatus } from '../supervisor/control/view.js';
import { type Accounts, readAccounts } from './keys/accounts.js';
import { checkAddresses } from './ports/addresses.js';
import type { StackSettings } from './definition/definition.js';
import { type Contracts, ContractsFile } from './running/contracts-file.js';
import type { ExternalChain } from './settings/chain-settings.js';
import { storeTrouble } from './engines/external-store.js';
import type { ExternalStore } from './settings/store-settings.js';
import { connectControl, statusOf } from './control/control.js';
import { silentState } from './control/living.js';
import { answers, chainTrouble, readExternal } from './engines/external.js';
import type { Stack } from './places/locate.js';
import { type FailedStart, readFailedStart } from './control/failed-start.js';
import { publicUrlOf, urlOf } from './running/node-config.js';
import { type Ports, readPorts } from './ports/ports.js';
import { serviceTokenFile, tokenFile } from './keys/tokens.js';

/**
 * `running` = everything is healthy; `degraded` = a service is not, and the supervisor is restarting it or has given
 * up; `silent` = the supervisor is running but does not answer, so the states of its services are unknown.
 */
export type StackState = 'stopped' | 'starting' | 'running' | 'degraded' | 'stopping' | 'silent';

/** A row of the table of services. */
export interface ServiceRow {
  readonly name: string;
  readonly kind: 'chain' | 'store' | 'node';
  readonly state: ServiceState;
  /** Null if it has no process, or is not checked: it is paused, or the supervisor does not answer. */
  readonly health: 'healthy' | 'unhealthy' | null;
  readonly pid: number | null;
  readonly restarts: number;
  readonly port: number | null;
  /** The node's port for peers; null if the system chooses it, and for other services. */
  readonly peerPort: number | null;
  readonly url: string | null;
  /** The address of its WebSocket; null for the store. */
  readonly ws: string | null;
  /** The address of its explorer; null for other services. */
  readonly ui: string | null;
  readonly startedAt: string | null;
  /** From the start of its process until it was healthy. */
  readonly readyAfterMs: number | null;
  /** The note that its program sent when it was ready. */
  readonly note: string | null;
  /** The reason for its last end, or its present problem, as a sentence. */
  readonly message: string | null;
  /** Whether its node is run by the user. */
  readonly isExternal: boolean;
  /** Whether a restart cannot help, so that only `start` starts it again. */
  readonly isFinal: boolean;
  /** False for a party that was only added to the definition of a running stack. */
  readonly isJoined: boolean;
}

/**
 * The hint for a service that a restart cannot help, because its data does not match its environment. It begins with
 * `Or` if the message already names a remedy.
 */
export function finalHint(message: string | null): string {
  const begin = message?.includes(': stack node rebuild ') === true ? 'Or restore' : 'Restore';
  return (
    `${begin} the data and the chain together from one copy of the whole stack; ` +
    'or, if the network may be deleted: stack reset.'
  );
}

export interface StackStatus {
  readonly name: string;
  readonly state: StackState;
  /** Whether services run in containers. */
  readonly runtime: 'process' | 'docker';
  readonly services: readonly ServiceRow[];
  readonly contracts: Contracts | null;
  /** Null if the stack is running or its last start succeeded. */
  readonly failedStart: FailedStart | null;
  /** The variables of `stack env`. */
  readonly env: Readonly<Record<string, string>>;
}

/** The status of a stack, running or not. Values that only a supervisor knows are null without one. */
export async function stackStatus(stack: Stack): Promise<StackStatus> {
  const status = await statusOf(await connectControl(stack.layout));
  const last = status === undefined ? await silentState(stack) : undefined;
  const described = await describeStack(stack, status ?? last);
  if (last === undefined) return described;
  const services = described.services.map((row) => (row.isExternal ? row : { ...row, health: null }));
  return { ...described, state: silentStateOf(last), services };
}

/** `stackStatus` from a known status; undefined = no supervisor. @throws StackError CONTROL_NOT_PRIVATE */
export async function describeStack(stack: Stack, status: SupervisorStatus | undefined): Promise<StackStatus> {
  const [ports, contracts, accounts] = await Promise.all([
    readPorts(stack.layout),
    readJsonFile(stack.layout.contracts, ContractsFile),
    readAccounts(stack.layout),
  ]);
  if (status !== undefined) await checkAddresses(stack, ports, status);
  const external = status === undefined ? [] : await readExternal(stack.layout);
  const services = await Promise.all(
    rowsOf(stack.settings, ports, status).map(async (row) => {
      if (row.kind === 'chain' && stack.settings.chain.external !== null)
        return chainRow(row, stack.settings.chain.external);
      if (row.kind === 'store' && stack.settings.store.external !== null)
        return storeRow(row, stack.settings.store.external);
      return external.includes(row.name) ? asExternal(row, stack.settings) : row;
    }),
  );
  return {
    name: stack.name,
    state: withOthers(stateOf(status), services),
    runtime: stack.settings.docker === null ? 'process' : 'docker',
    services,
    contracts: contracts ?? null,
    failedStart: status === undefined ? ((await readFailedStart(stack.layout)) ?? null) : null,
    env: environmentOf(stack, services, contracts, accounts),
  };
}

/** A chain or store that others run counts as well: without it no message is confirmed. */
function withOthers(state: StackState, services: readonly ServiceRow[]): StackState {
  const isLacking = services.some((row) => row.isExternal && row.state === 'unhealthy');
  return state === 'running' && isLacking ? 'degraded' : state;
}

async function asExternal(row: ServiceRow, { parties }: StackSettings): Promise<ServiceRow> {
  const certificateFile = parties.find(({ name }) => name === row.name)?.tls?.certificateFile;
  const isUp = row.url !== null && (await answers(row.url, certificateFile));
  return {
    ...row,
    isExternal: true,
    isJoined: true,
    state: isUp ? 'healthy' : 'pending',
    health: isUp ? 'healthy' : null,
  };
}

/** The row of a chain that others run. */
async function chainRow(row: ServiceRow, chain: ExternalChain): Promise<ServiceRow> {
  const message = (await chainTrouble(chain)) ?? null;
  const state = message === null ? 'healthy' : 'unhealthy';
  const { url, ws } = chain;
  return { ...row, url, ws, port: null, isExternal: true, isJoined: true, state, health: state, message };
}

/** The row of a store that others run. */
async function storeRow(row: ServiceRow, store: ExternalStore): Promise<ServiceRow> {
  const message = (await storeTrouble(store)) ?? null;
  const state = message === null ? 'healthy' : 'unhealthy';
  return { ...row, url: store.api, port: null, isExternal: true, isJoined: true, state, health: state, message };
}

/** The state of a stack as a whole. */
export function stateOf(status: SupervisorStatus | undefined): StackState {
  if (status === undefined) return 'stopped';
  if (status.state === 'stopping') return 'stopping';
  const states = status.services.filter((view) => view.type === 'service').map((view) => view.state);
  if (states.every((state) => state === 'healthy')) return 'running';
  const isComing = status.services.every((view) => view.restarts === 0 && isOnItsWay(view.state));
  return isComing ? 'starting' : 'degraded';
}

/** The state of a stack as a whole whose supervisor does not answer, from the status that it wrote last. */
export function silentStateOf(last: SupervisorStatus): StackState {
  return last.state === 'stopping' ? 'stopping' : 'silent';
}

function isOnItsWay(state: ServiceState): boolean {
  return state === 'pending' || state === 'starting' || state === 'healthy' || state === 'completed';
}

/** One row per service of the stack, in the order of its plan. */
export function rowsOf(
  settings: StackSettings,
  ports: Ports | undefined,
  status: SupervisorStatus | undefined,
): ServiceRow[] {
  const all = [
    { name: 'chain', kind: 'chain', port: ports?.chain } as const,
    { name: 'store', kind: 'store', port: ports?.store } as const,
    ...settings.parties.map(({ name }) => ({ name, kind: 'node', port: ports?.parties[name] }) as const),
  ];
  return all.map(({ name, kind, port }) => {
    const view = status?.services.find((candidate) => candidate.name === name);
    const row = rowOf(settings, name, kind, view?.port ?? port ?? null, view);
    return { ...row, peerPort: ports?.peers[name] ?? null, isJoined: status === undefined || view !== undefined };
  });
}

function rowOf(
  settings: StackSettings,
  name: string,
  kind: ServiceRow['kind'],
  port: number | null,
  view: ServiceView | undefined,
): Omit<ServiceRow, 'peerPort' | 'isJoined'> {
  const url = port === null ? null : shownUrl(settings, name, port, view);
  const socket = url?.replace(/^http/, 'ws') ?? null;
  return {
    name,
    kind,
    state: view?.state ?? 'stopped',
    health: healthOf(view),
    pid: view?.pid ?? null,
    restarts: view?.restarts ?? 0,
    port,
    url,
    ws: socket === null || kind === 'store' ? null : kind === 'node' ? `${socket}/ws` : socket,
    ui: url === null || kind !== 'node' ? null : `${url}/ui`,
    startedAt: view?.startedAt ?? null,
    readyAfterMs: view?.readyAfterMs ?? null,
    note: view?.note ?? null,
    message: view?.message ?? null,
    isExternal: false,
    isFinal: view?.isFinal ?? false,
  };
}

/** The public address; a start may have replaced the one of the definition. */
function shownUrl(settings: StackSettings, name: string, port: number, view: ServiceView | undefined): string {
  const called = view?.url ?? urlOf(settings, name, port);
  return called.startsWith('https:') && settings.advertise !== null ? publicUrlOf(settings, name, port) : called;
}

function healthOf(view: ServiceView | undefined): ServiceRow['health'] {
  if (view === undefined || view.pid === null || view.state === 'paused') return null;
  return view.state === 'healthy' ? 'healthy' : 'unhealthy';
}

function chainIdOf({ chain }: StackSettings, contracts: Contracts | undefined): string | undefined {
  const id = chain.external === null ? chain.chainId : (contracts?.chainId ?? chain.external.chainId);
  return id === null ? undefined : String(id);
}

function environmentOf(
  stack: Stack,
  services: readonly ServiceRow[],
  contracts: Contracts | undefined,
  accounts: Accounts | undefined,
): Record<string, string> {
  const rowOfName = (name: string): ServiceRow | undefined => services.find((row) => row.name === name);
  const { settings } = stack;
  const variables: Record<string, string | null | undefined> = {
    STACK_NAME: stack.name,
    STACK_NS: settings.namespaces[0],
    STACK_CHAIN_URL: rowOfName('chain')?.url,
    STACK_CHAIN_ID: chainIdOf(settings, contracts),
    STACK_STORE_URL: rowOfName('store')?.url,
    STACK_CHAIN_AUTH_FILE: settings.chain.external?.authFile ?? serviceTokenFile(stack.layout, settings, 'chain'),
    STACK_STORE_AUTH_FILE: settings.store.external?.authFile ?? serviceTokenFile(stack.layout, settings, 'store'),
    STACK_NETWORK_CONTRACT: contracts?.network.address,
    STACK_TOKENS_CONTRACT: contracts?.tokens?.[0]?.address,
    STACK_PARTIES: settings.parties.map(({ name }) => name).join(','),
  };
  for (const { name, organization, tls } of settings.parties) {
    const prefix = `STACK_${name.toUpperCase().replaceAll('-', '_')}`;
    variables[`${prefix}_URL`] = rowOfName(name)?.url;
    variables[`${prefix}_WS`] = rowOfName(name)?.ws;
    variables[`${prefix}_DID`] = `did:${stack.settings.profile ?? 'parley'}:org/${organization}`;
    variables[`${prefix}_ORG`] = organization;
    variables[`${prefix}_ADDRESS`] = accounts?.parties[name]?.signing;
    variables[`${prefix}_CA_FILE`] = tls?.certificateFile;
    if (settings.auth.enabled) variables[`${prefix}_AUTH_FILE`] = tokenFile(stack.layout, name);
  }
  const known = Object.entries(variables).flatMap(([key, value]) => (value == null ? [] : [[key, value] as const]));
  return Object.fromEntries(known);
}

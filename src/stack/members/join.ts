import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, namesIn } from '../../supervisor/machine/directory.js';
import { writeJsonFile } from '../../supervisor/files/json-file.js';
import type { SupervisorStatus } from '../../supervisor/control/view.js';
import { readGuests } from './admit.js';
import { deriveAccounts, fixGenesis, laterAddresses } from '../keys/accounts.js';
import { keepDefinition } from '../definition/applied-definition.js';
import { changeText, isOpeningBalance, noteParty, reviewChanges } from '../definition/changes.js';
import { tryChange } from '../definition/configure.js';
import { prepareContainers } from '../engines/containers.js';
import type { Control } from '../control/control.js';
import { requireName } from '../create.js';
import type { PartySettings, StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import { keepEvidence } from '../running/evidence.js';
import { findEngine } from '../engines/engines.js';
import { type FundsListener, prepareChain } from '../engines/external-chain.js';
import { inspectDatabases } from '../engines/external-database.js';
import { writeFireflyFiles } from '../firefly-files.js';
import { checkKeys, createKeys, importSigningKey, readUserKey, requireNoOtherKey } from '../keys/keys.js';
import { noteLaterParty } from './later-parties.js';
import type { Layout } from '../layout.js';
import { laterParty } from '../running/node-config.js';
import { type LocatedStack, loadStack, type Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { planOf, taskNames } from '../running/plan.js';
import { addPorts, type ChosenPort, nextPorts, readPorts, requireNewPort } from '../ports/ports.js';
import { type Setting } from '../definition/render.js';
import { onlyChanges, type ProgressListener, waitUntilReady } from '../running/readiness.js';
import { readRunningPlan } from '../running/running-plan.js';
import { findSupervisor } from '../cleaning/stale.js';
import { startFailure } from '../running/start-failure.js';
import { describeStack } from '../status.js';

/** A party to add as a member. */
export interface JoinRequest {
  readonly name: string;
  /** Default: as in the definition, else the name. */
  readonly organization?: string | undefined;
  /** Default: as in the definition, else the name and `-node`. */
  readonly node?: string | undefined;
  /** The port of its API; default: the stack's next one. */
  readonly port?: number | undefined;
  /** A file with its private signing key; default: a new one. */
  readonly keyFile?: string | undefined;
  /** Its database as it stands in the definition; default: that of the stack. */
  readonly database?: Readonly<Record<string, string>> | undefined;
  /** Limit until its node is healthy; 0 = no limit. Default: 60 s. */
  readonly timeoutMs?: number;
  readonly onProgress?: ProgressListener;
  /** Called while the party's key lacks funds on a chain that others run. */
  readonly onFunds?: FundsListener | undefined;
}

export interface JoinResult {
  readonly party: PartySettings;
  /** `planned`: the stack is not running, and the party joins at its next start. */
  readonly outcome: 'joined' | 'member' | 'planned';
  readonly durationMs: number;
}

const defaultTimeoutMs = 60_000;

/**
 * Adds a party to a stack: definition, ports, keys and certificate, funds, its entry in the registry on the chain, and
 * its node, which reads everything from the first block. Nothing is restarted. Each step checks whether it is done, so
 * a killed call continues when it is repeated. If the stack is not running, the next start does everything that needs
 * the chain.
 *
 * @throws StackError NAME_INVALID; NAME_EXISTS for a different party of this name; STATE_INVALID if `stack.yaml` has
 * other changes that were not applied; STACK_FILE_INVALID, PORT_IN_USE, KEY_INVALID, KEY_NOT_PRIVATE, LOCKED;
 * START_FAILED, START_TIMEOUT
 */
export async function addParty(stack: LocatedStack, request: JoinRequest): Promise<JoinResult> {
  requireName(request.name, 'A party');
  return withLock(stack.layout.lock, 'party add', () => addUnlocked(stack, request));
}

async function addUnlocked(located: LocatedStack, request: JoinRequest): Promise<JoinResult> {
  const begunMs = performance.now();
  const { layout, place, name } = located;
  const before = await loadStack(place, name);
  const known = before.settings.parties.find((party) => party.name === request.name);
  if (known !== undefined) requireSame(known, request);
  const control = await findSupervisor(located);
  const status = await control?.status();
  if (status !== undefined) await requireOnlyNewParties(before);
  const members = status === undefined ? undefined : await partiesOfRunning(layout, status);
  const isMember = members?.includes(request.name) ?? (known !== undefined && (await hasJoined(before, known)));
  const done = (outcome: JoinResult['outcome'], { settings }: Stack): JoinResult => ({
    party: partyIn(settings, request.name),
    outcome,
    durationMs: Math.round(performance.now() - begunMs),
  });
  if (isMember && !(await exists(layout.join(request.name)))) return done('member', before);
  // All checks come before the first file is changed.
  const change = await tryChange(located, known === undefined ? [additionOf(request, before.settings)] : []);
  const key = request.keyFile === undefined ? undefined : await readUserKey(request.keyFile);
  if (key !== undefined) await requireNoOtherKey(layout, request.name, key);
  if (request.port !== undefined) await requireOwnPort(before, request, request.port);
  await nextPorts(layout, withOnly(change.settings, members, request.name), portIn(request));
  await change.write();
  const stack = await loadStack(place, name);
  if (key !== undefined) await importSigningKey(layout, request.name, key);
  if (control === undefined || members === undefined) {
    await addPorts(layout, stack.settings, portIn(request));
    await createKeys(layout, stack.settings);
    return done('planned', stack);
  }
  await joinRunning(stack, control, members, request);
  return done('joined', stack);
}

function portIn({ name, port }: JoinRequest): ChosenPort | undefined {
  return port === undefined ? undefined : { party: name, port };
}

/**
 * Makes a party of the definition a member of the running network; the caller holds the stack's lock.
 *
 * @throws StackError as `addParty`
 */
export async function joinRunning(
  stack: Stack,
  control: Control,
  members: readonly string[],
  request: JoinRequest,
): Promise<void> {
  const { layout, settings } = stack;
  const begunAt = new Date().toISOString();
  const party = partyIn(settings, request.name);
  await writeJsonFile(layout.join(party.name), { version: 1, party, begunAt });
  const running = await readRunningPlan(layout);
  const grown: StackSettings = { ...withOnly(settings, members, party.name), bind: running.host ?? settings.bind };
  const ports = await addPorts(layout, grown, portIn(request));
  await createKeys(layout, grown);
  await checkKeys(layout, grown);
  const accounts = await deriveAccounts(layout, grown);
  const { timeoutMs = defaultTimeoutMs, onFunds } = request;
  await prepareChain({ ...stack, settings: grown }, { timeoutMs, onFunds });
  await inspectDatabases(grown);
  const genesis = await fixGenesis(layout, grown, accounts);
  const fund = settings.chain.external === null ? laterAddresses(accounts, genesis) : [];
  const { external, owner } = running;
  const engine = await findEngine(grown, stack.place);
  const containers = await prepareContainers(layout, grown, stack.place.engine ?? {});
  const guests = await readGuests(layout);
  const options = { genesis, fund, smoke: false, external, owner, engine, containers, guests, joining: party.name };
  const plan = planOf(layout, grown, ports, options);
  await writeJsonFile(layout.plan, plan);
  const later = laterParty(grown, party.name, ports);
  if (later !== undefined) await noteLaterParty(layout, later);
  const status = await control.adopt([taskNames.contracts]);
  // The service of an earlier attempt must be started explicitly.
  const view = status.services.find(({ name }) => name === party.name);
  if (view !== undefined && ['stopped', 'failed'].includes(view.state)) await control.service(party.name, 'start');
  await waitUntilJoined(stack, control, request, begunAt);
  await noteParty(layout, settings, party.name);
  await keepDefinition(layout, stack.definitionFile);
  await writeFireflyFiles(stack, await describeStack(stack, await control.status()));
  await rm(layout.join(party.name), { force: true });
}

async function waitUntilJoined(
  stack: Stack,
  control: Control,
  { name, timeoutMs = defaultTimeoutMs, onProgress = () => undefined }: JoinRequest,
  begunAt: string,
): Promise<void> {
  const scope = { tasks: [taskNames.contracts], only: [taskNames.contracts, name] };
  const readiness = await waitUntilReady(control, scope, timeoutMs, onlyChanges(onProgress));
  if (readiness.outcome === 'ready') return;
  const crash = await keepEvidence(stack.layout, [taskNames.contracts, name]);
  // The children of a dead supervisor end, too. The pending failure is more useful than this error.
  await control.service(name, 'stop').catch(() => undefined);
  throw await startFailure(stack, readiness, { crash, begunAt });
}

/** Deletes the records of joining parties: a start lets all of them join. */
export async function forgetJoins({ run }: Layout): Promise<void> {
  for (const name of (await namesIn(run)).filter((each) => /^join-.*\.json$/.test(each)))
    await rm(join(run, name), { force: true });
}

/** The parties of a running stack, including those whose nodes the user runs. */
export async function partiesOfRunning(layout: Layout, status: SupervisorStatus): Promise<readonly string[]> {
  const { external } = await readRunningPlan(layout);
  return [...status.services.map(({ name }) => name), ...external];
}

/** Whether the network had this party at its last start, for a stack that is not running. */
async function hasJoined({ layout, settings }: Stack, { name }: PartySettings): Promise<boolean> {
  const changes = await reviewChanges(layout, settings);
  return !changes.some(({ setting }) => setting === `parties.${name}`);
}

function partyIn({ parties }: StackSettings, name: string): PartySettings {
  const party = parties.find((each) => each.name === name);
  if (party === undefined) throw new StackError('STACK_FILE_INVALID', `${name} is no longer in stack.yaml.`);
  return party;
}

/** A repeated call requests the port that it already has. */
async function requireOwnPort({ layout, settings }: Stack, { name }: JoinRequest, port: number): Promise<void> {
  const known = (await readPorts(layout))?.parties[name];
  if (known !== port) await requireNewPort(layout, settings, port);
}

/** Checks that an existing party matches the request. @throws StackError NAME_EXISTS */
function requireSame({ name, organization, node }: PartySettings, requested: JoinRequest): void {
  const other =
    requested.organization !== undefined && requested.organization !== organization
      ? `its organisation is ${organization}`
      : requested.node !== undefined && requested.node !== node
        ? `its node is ${node}`
        : undefined;
  if (other === undefined) return;
  throw new StackError('NAME_EXISTS', `There is a party ${name} already, and ${other}.`, {
    hint: 'Choose another name, or leave out --org and --node.',
    details: { name, organization, node },
  });
}

/** Checks that only parties and initial balances have changed: running services cannot apply other changes. */
async function requireOnlyNewParties({ layout, settings }: Stack): Promise<void> {
  const changes = await reviewChanges(layout, settings);
  const [first] = changes.filter((change) => !change.setting.startsWith('parties.') && !isOpeningBalance(change));
  if (first === undefined) return;
  throw new StackError(
    'STATE_INVALID',
    `stack.yaml has another change that is not applied yet: ${changeText(first)}.`,
    {
      hint: 'Apply it together with the new party: stack start',
      details: { changes },
    },
  );
}

/** The entry of a new party in the definition. */
function additionOf({ name, organization, node, database }: JoinRequest, { parties }: StackSettings): Setting {
  const more = Object.entries({ org: organization, node, database }).filter(([, given]) => given !== undefined);
  const value = more.length === 0 ? name : { name, ...Object.fromEntries(more) };
  return { path: ['parties', String(parties.length)], value: JSON.stringify(value) };
}

/**
 * The settings with one new party beside the members of the running network: the definition may contain other new
 * parties, and each joins separately. Without a running network all of them join at its next start.
 */
function withOnly(settings: StackSettings, members: readonly string[] | undefined, party: string): StackSettings {
  if (members === undefined) return settings;
  return { ...settings, parties: settings.parties.filter(({ name }) => name === party || members.includes(name)) };
}

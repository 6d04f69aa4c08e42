import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { databaseForm } from '../../../ports/database-form.js';
import { InvalidFileError, readJsonFile, writeJsonFile } from '../../../supervisor/files/json-file.js';
import { makeDirectory, syncDirectory } from '../../../supervisor/files/private-file.js';
import { type Accounts, readAccounts } from '../../keys/accounts.js';
import { type Contracts, ContractsFile } from '../../running/contracts-file.js';
import type { Control } from '../../control/control.js';
import { StackError } from '../../error.js';
import { postgresParties } from '../../engines/external-database.js';
import { readStackFile } from '../../definition/stack-file.js';
import type { Layout } from '../../layout.js';
import type { LocatedStack } from '../../places/locate.js';
import { withLock } from '../../places/lock.js';
import { ownVersion } from '../../upgrade/own-version.js';
import { readRunningPlan } from '../../running/running-plan.js';
import { findSupervisor } from '../../cleaning/stale.js';
import { copyData, copyIfPresent, pathsBelow, syncTree } from './copy.js';
import { readForm, settleDatabase } from '../database.js';
import { fullDisk } from '../full-disk.js';
import { headOf } from './head.js';
import { describeFiles, type Manifest, manifestName } from '../manifest.js';
import { removeUnfinished, requireFreeName, unfinishedPrefix } from '../places.js';
import { finishRestore } from '../restoring/swap.js';

export interface SavedSnapshot {
  readonly name: string;
  readonly directory: string;
  readonly manifest: Manifest;
  /** How long the services were paused; 0 if none ran. */
  readonly heldMs: number;
}

/** The files beside `data/` that belong to the state of a network. */
export const stateFiles = ['contracts.json', 'genesis.json', 'applied.json', 'accounts.json'] as const;

/**
 * Saves the state of a network at one moment: the chain, the store and the data of every party. Running services are
 * paused while their files are copied; everything that a node has accepted before is in the snapshot, and nothing that
 * came later. A snapshot is put in place by one rename, so a failed or killed call leaves nothing.
 *
 * @throws StackError NAME_INVALID, NAME_EXISTS, LOCKED, SNAPSHOT_REFUSED for a network that has never been started or
 *   has a node that the user runs, SNAPSHOT_FAILED if it cannot be paused, DISK_FULL
 */
export async function saveSnapshot(stack: LocatedStack, name: string): Promise<SavedSnapshot> {
  return withLock(stack.layout.lock, 'snapshot save', () => saveUnlocked(stack, name));
}

/** `saveSnapshot` for a caller that holds the stack's lock. */
export async function saveUnlocked(stack: LocatedStack, name: string): Promise<SavedSnapshot> {
  const { layout } = stack;
  await finishRestore(layout);
  const directory = await requireFreeName(layout, name);
  await requireOwnEngines(stack);
  const network = await requireNetwork(stack);
  await makeDirectory(layout.snapshots);
  await removeUnfinished(layout.snapshots);
  const control = await findSupervisor(stack);
  if (control !== undefined) await requireNoExternal(layout);
  const building = join(layout.snapshots, `${unfinishedPrefix}saving-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(building, { mode: 0o700 });
    const heldMs = await copyStill(stack, control, building);
    const manifest = await describe(stack, network, building);
    await rename(building, directory);
    await syncDirectory(layout.snapshots);
    return { name, directory, manifest, heldMs };
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    throw fullDisk(error);
  }
}

const copyHint = 'To keep keys and data, stop the stack and copy its directory: stack stop';

/** Refuses a chain, a store or databases that others run: a snapshot can neither save nor restore their state. */
export async function requireOwnEngines({ definitionFile }: LocatedStack): Promise<void> {
  const settings = await readStackFile(definitionFile);
  const { chain, store } = settings;
  if (postgresParties(settings).length > 0) {
    throw new StackError('SNAPSHOT_REFUSED', 'database.provider is postgres: snapshots contain only files.', {
      hint: 'Stop the stack, and keep a copy of its directory and a dump of each schema: pg_dump --schema',
    });
  }
  if (store.external !== null) {
    const what = 'store.provider is ipfs: snapshots cannot contain a store that others run';
    throw new StackError('SNAPSHOT_REFUSED', `${what}.`, { hint: copyHint });
  }
  if (chain.external === null) return;
  throw new StackError('SNAPSHOT_REFUSED', 'chain.provider is url: snapshots cannot contain a chain that others run.', {
    hint: copyHint,
  });
}

interface Network {
  readonly contracts: Contracts;
  readonly accounts: Accounts;
}

async function requireNetwork({ layout, name }: LocatedStack): Promise<Network> {
  try {
    const contracts = await readJsonFile(layout.contracts, ContractsFile);
    const accounts = await readAccounts(layout);
    if (contracts !== undefined && accounts !== undefined) return { contracts, accounts };
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new StackError('STATE_INVALID', cause.message, { hint: 'Start over: stack reset', cause });
  }
  throw new StackError('SNAPSHOT_REFUSED', `${name} has no network yet.`, {
    hint: `Start it: stack start ${name}`,
  });
}

/** Refuses nodes that the user runs, which cannot be paused. */
async function requireNoExternal(layout: Layout): Promise<void> {
  const { external } = await readRunningPlan(layout);
  if (external.length === 0) return;
  throw new StackError('SNAPSHOT_REFUSED', `You run ${external.join(', ')} yourself, so the stack cannot be paused.`, {
    hint: 'End what you run, and stop the stack first: stack stop',
    details: { external },
  });
}

/** Copies the state while all services are paused. Resolves with how long they were. */
async function copyStill(stack: LocatedStack, control: Control | undefined, building: string): Promise<number> {
  const { layout } = stack;
  const held = await control?.hold();
  const begunMs = performance.now();
  let wasPaused = false;
  try {
    await copyData(layout.data, join(building, 'data'));
    for (const name of stateFiles) await copyIfPresent(join(layout.directory, name), join(building, name));
    await copyFile(stack.definitionFile, join(building, 'stack.yaml'));
  } finally {
    wasPaused = held === undefined || (await held.release());
  }
  if (wasPaused) return held === undefined ? 0 : Math.round(performance.now() - begunMs);
  throw new StackError('SNAPSHOT_FAILED', 'A service did not stay paused: nothing was saved.', {
    hint: 'Try again. The reason is in: stack logs supervisor',
  });
}

/** Completes the copies, describes them, and makes everything durable. */
async function describe(stack: LocatedStack, { contracts, accounts }: Network, building: string): Promise<Manifest> {
  const databases = (await pathsBelow(building)).filter((path) => basename(path) === 'db.sqlite3');
  const forms: number[] = [];
  for (const path of databases) {
    await settleDatabase(join(building, path));
    forms.push(await readForm(join(building, path)));
  }
  const paths = await pathsBelow(building);
  const head = await headOf(join(building, 'data', 'chain', 'journal'));
  if (head === undefined) throw new StackError('SNAPSHOT_REFUSED', 'The chain of this stack has no block yet.');
  const manifest: Manifest = {
    version: 1,
    stack: stack.name,
    savedAt: new Date().toISOString(),
    parley: await ownVersion(),
    // A node creates a database that is missing or empty in the newest form.
    databaseForm: Math.max(0, ...forms) || databaseForm,
    chain: { chainId: contracts.chainId, genesisHash: contracts.genesisHash, ...head },
    operator: accounts.operator,
    parties: Object.fromEntries(Object.entries(accounts.parties).map(([party, { signing }]) => [party, signing])),
    files: await describeFiles(building, paths),
  };
  await writeJsonFile(join(building, manifestName), manifest);
  await syncTree(building, paths);
  return manifest;
}

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { passedOnFrom } from '../supervisor/machine/environment.js';

/** The location of this user's stacks. */
export interface Place {
  /** `$STACK_HOME`: registry, templates, stacks. */
  readonly home: string;
  /** The directory of the control sockets, private to this user (0700). */
  readonly runtimeDirectory: string;
  /** The user's own defaults: `config.yaml`. */
  readonly configFile: string;
  /** The environment variables passed on to the programs of a stack. */
  readonly environment: Readonly<Record<string, string>>;
  /** The variables that select the container engine. */
  readonly engine?: Readonly<Record<string, string | undefined>>;
}

/** The paths of one stack. */
export interface Layout {
  readonly directory: string;
  readonly definition: string;
  /** The JSON Schema of the definition, for editors. */
  readonly schema: string;
  readonly projectLink: string;
  readonly versions: string;
  readonly keys: string;
  readonly ports: string;
  readonly contracts: string;
  /** Unconfirmed transactions to a chain that others run, from which a killed task continues. */
  readonly pendingContracts: string;
  readonly accounts: string;
  /** The members on other machines that this stack has admitted. */
  readonly guests: string;
  readonly genesis: string;
  /** The settings of the last start. */
  readonly applied: string;
  /** The definition of the last start. */
  readonly appliedDefinition: string;
  readonly run: string;
  readonly plan: string;
  readonly state: string;
  readonly lock: string;
  /** The faults in force. */
  readonly faults: string;
  /** The process that has begun to apply the seeds; absent once all are applied. */
  readonly openSeeds: string;
  /** The parties that have joined since the start. */
  readonly laterParties: string;
  /** A file for each joining party. */
  join(party: string): string;
  readonly data: string;
  readonly chainData: string;
  readonly storeData: string;
  /** The record of an unfinished upgrade. A restore or reset replaces it together with the data. */
  readonly upgrade: string;
  /** Written when the first message was confirmed everywhere. */
  readonly smoke: string;
  /** Why the last start failed. */
  readonly failedStart: string;
  /** The pools of the definition that the network has. */
  readonly pools: string;
  readonly logs: string;
  readonly crash: string;
  readonly snapshots: string;
  /** The files for FireFly's tools. */
  readonly firefly: string;
  readonly socket: string;
  /** The socket on which nodes query the supervisor for their explorers. */
  readonly viewSocket: string;
  /** Twelve hexadecimal digits derived from the state directory; they also identify a supervisor. */
  readonly id: string;
}

/**
 * The location given by environment variables, as absolute paths, since the programs of a stack have another working
 * directory: a relative `STACK_HOME` or `HOME` is resolved, and relative `XDG_` variables are ignored, as the XDG Base
 * Directory Specification demands.
 */
export function placeFrom(environment: Readonly<Record<string, string | undefined>>): Place {
  const { STACK_HOME: given, XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, XDG_RUNTIME_DIR: runtime } = environment;
  const user = resolve(homedir());
  const home = resolve(nonEmpty(given) ?? join(absolute(data) ?? join(user, '.local', 'share'), 'parley'));
  const runtimeDirectory = absolute(runtime);
  return {
    home,
    // Never in the system's temporary directory, where any user could take the name first.
    runtimeDirectory: runtimeDirectory === undefined ? join(home, 'run') : join(runtimeDirectory, 'parley'),
    configFile: join(absolute(config) ?? join(user, '.config'), 'parley', 'config.yaml'),
    environment: passedOnFrom(environment),
    engine: environment,
  };
}

/** The paths of the stack in a directory. The socket's name is a hash, since socket paths must be short. */
export function layoutOf(directory: string, place: Place): Layout {
  const inside = (...names: string[]): string => join(directory, ...names);
  const id = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  return {
    directory,
    definition: inside('stack.yaml'),
    schema: inside('stack.schema.json'),
    projectLink: inside('project.link'),
    versions: inside('stack.lock.json'),
    keys: inside('keys'),
    ports: inside('ports.json'),
    contracts: inside('contracts.json'),
    pendingContracts: inside('contracts.pending.json'),
    accounts: inside('accounts.json'),
    guests: inside('guests.json'),
    genesis: inside('genesis.json'),
    applied: inside('applied.json'),
    appliedDefinition: inside('applied.yaml'),
    run: inside('run'),
    plan: inside('run', 'plan.json'),
    state: inside('run', 'state.json'),
    lock: inside('run', 'lock'),
    faults: inside('run', 'faults.json'),
    openSeeds: inside('run', 'open-seeds.json'),
    laterParties: inside('run', 'later', 'parties.json'),
    join: (party) => inside('run', `join-${party}.json`),
    data: inside('data'),
    chainData: inside('data', 'chain'),
    storeData: inside('data', 'store'),
    upgrade: inside('data', 'upgrade.json'),
    smoke: inside('data', 'smoke.json'),
    failedStart: inside('data', 'failed-start.json'),
    pools: inside('data', 'pools.json'),
    logs: inside('logs'),
    crash: inside('crash'),
    snapshots: inside('snapshots'),
    firefly: inside('firefly'),
    socket: join(place.runtimeDirectory, `${id}.sock`),
    viewSocket: join(place.runtimeDirectory, `${id}.view`),
    id,
  };
}

/** The data directory of one party's node, with its configuration file `node.json`. */
export function nodeData(layout: Layout, party: string): string {
  return join(layout.data, 'nodes', party);
}

export function stackDirectory(place: Place, name: string): string {
  return join(place.home, 'stacks', name);
}

export function ephemeralHome(place: Place): string {
  return join(place.home, 'ephemeral');
}

/** A file of the installed package, such as `bin/node.js`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

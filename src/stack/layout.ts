import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { passedOnFrom } from '../supervisor/environment.js';

/** Where this user's stacks are. */
export interface Place {
  /** `$STACK_HOME`: registry, templates, stacks. */
  readonly home: string;
  /** The directory of the control sockets: this user's alone, 0700. */
  readonly runtimeDirectory: string;
  /** The user's own defaults: `config.yaml`. */
  readonly configFile: string;
  /** What the programs of a stack get to see of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The paths of one stack (cli, section 15). */
export interface Layout {
  readonly directory: string;
  readonly definition: string;
  /** The definition's JSON Schema, for editors. */
  readonly schema: string;
  readonly projectLink: string;
  readonly versions: string;
  readonly keys: string;
  readonly ports: string;
  readonly contracts: string;
  readonly accounts: string;
  readonly genesis: string;
  /** With which settings the stack was started last. */
  readonly applied: string;
  readonly run: string;
  readonly plan: string;
  readonly state: string;
  readonly lock: string;
  readonly data: string;
  readonly chainData: string;
  readonly storeData: string;
  /** Written when the first message has been confirmed everywhere. */
  readonly smoke: string;
  readonly logs: string;
  readonly crash: string;
  readonly snapshots: string;
  readonly socket: string;
  /** The socket on which nodes ask the supervisor for their explorers. */
  readonly viewSocket: string;
  /** Twelve hexadecimal digits that stand for the state directory; also how a supervisor is recognised. */
  readonly id: string;
}

/** The place that an environment names (cli, section 15). */
export function placeFrom(environment: Readonly<Record<string, string | undefined>>): Place {
  const { STACK_HOME: given, XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, XDG_RUNTIME_DIR: runtime } = environment;
  const home = nonEmpty(given) ?? join(nonEmpty(data) ?? join(homedir(), '.local', 'share'), 'parley');
  return {
    home,
    // Never a name in the system's temporary directory, which every user of the machine can take first.
    runtimeDirectory: nonEmpty(runtime) === undefined ? join(home, 'run') : join(runtime ?? '', 'parley'),
    configFile: join(nonEmpty(config) ?? join(homedir(), '.config'), 'parley', 'config.yaml'),
    environment: passedOnFrom(environment),
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
    accounts: inside('accounts.json'),
    genesis: inside('genesis.json'),
    applied: inside('applied.json'),
    run: inside('run'),
    plan: inside('run', 'plan.json'),
    state: inside('run', 'state.json'),
    lock: inside('run', 'lock'),
    data: inside('data'),
    chainData: inside('data', 'chain'),
    storeData: inside('data', 'store'),
    smoke: inside('data', 'smoke.json'),
    logs: inside('logs'),
    crash: inside('crash'),
    snapshots: inside('snapshots'),
    socket: join(place.runtimeDirectory, `${id}.sock`),
    viewSocket: join(place.runtimeDirectory, `${id}.view`),
    id,
  };
}

/** The data directory of one party's node, with its configuration file `node.json`. */
export function nodeData(layout: Layout, party: string): string {
  return join(layout.data, 'nodes', party);
}

/** The directory of a stack that is created under this name. */
export function stackDirectory(place: Place, name: string): string {
  return join(place.home, 'stacks', name);
}

/** The directory of the stacks that each exist for one process alone. */
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

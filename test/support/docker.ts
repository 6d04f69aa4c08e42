import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openEngine, labels } from '../../src/supervisor/engine.js';
import { type Engine, requireEngine } from '../../src/stack/engines/container-engine.js';
import { findEngine } from './engines.js';
import { isRequired } from './services.js';

const found = await requireEngine(process.env).catch(() => undefined);

/** Whether the tests that need a container engine are skipped, because there is none and it is not required. */
export const hasNoDocker = found === undefined && !isRequired('docker');

const run = promisify(execFile);
const hasCompose = await run('docker-compose', ['version']).then(
  () => true,
  () => false,
);

/** The newer Compose, built from its Go module. */
const composeTwo = findEngine('docker-compose-2', 'compose-2.40.3/docker-compose');

/** The installed Compose programs: that of this machine, and a newer one. */
export const composePrograms: readonly string[] = [
  ...(hasCompose || composeTwo === undefined ? ['docker-compose'] : []),
  ...(composeTwo === undefined && !isRequired('compose') ? [] : [composeTwo ?? 'docker-compose-2']),
];

/** Whether the tests that need an engine and Compose are skipped. */
export const hasNoCompose = (found === undefined || (!hasCompose && composeTwo === undefined)) && !isRequired('docker');

/** Returns the engine of this machine. @throws StackError if there is none */
export function dockerEngine(): Promise<Engine> {
  return requireEngine(process.env);
}

/** Returns the engine's containers by service and networks by name, of one stack or of all. */
export async function objectsOf({ address }: Engine, stack?: string) {
  const docker = openEngine(address);
  const filters = { label: [stack === undefined ? labels.stack : `${labels.stack}=${stack}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const networks = await docker.listNetworks({ filters });
  return {
    containers: new Map(containers.map(({ Id, Labels }) => [Labels[labels.service] ?? '', docker.getContainer(Id)])),
    networks: networks.map(({ Name }) => Name),
  };
}

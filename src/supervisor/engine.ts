import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import type { ContainerPlan, EngineAddress } from './plan.js';

/** Longer than an engine takes to remove a container, however busy its machine is. */
const removalLimitMs = 120_000;
const removalPollMs = 50;

/** Labels on everything that a stack creates in an engine, by which a later run finds it. */
export const labels = { stack: 'parley.stack', service: 'parley.service', image: 'parley.image' } as const;

/** Opens the engine at an address; nothing is sent yet. */
export function openEngine(address: EngineAddress): Docker {
  return 'socketPath' in address
    ? new Docker({ socketPath: address.socketPath })
    : new Docker({ protocol: 'http', host: address.host, port: address.port });
}

/** Whether an engine refused because the object does not exist or is being removed. */
export function isGone(error: unknown): boolean {
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined;
  return status === 404 || status === 409;
}

/** Whether an engine does not answer at all. */
export function isAway(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'statusCode') === undefined && Reflect.has(error, 'code');
}

/** Removes the containers of a service that a killed engine has left. @throws Error as `removeObjects` */
export async function removeEarlier(engine: Docker, stack: string, service: string): Promise<void> {
  const filters = { label: [`${labels.stack}=${stack}`, `${labels.service}=${service}`] };
  const containers = await engine.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => removeContainer(engine.getContainer(Id))));
}

/** Removes every container and network of a stack. @throws Error if the engine does not answer or refuses */
export async function removeObjects(engine: Docker, stack: string): Promise<void> {
  const filters = { label: [`${labels.stack}=${stack}`] };
  const containers = await engine.listContainers({ all: true, filters });
  await Promise.all(containers.map(({ Id }) => removeContainer(engine.getContainer(Id))));
  const networks = await engine.listNetworks({ filters });
  for (const { Id } of networks) {
    await engine.getNetwork(Id).remove().catch(ignoreGone);
  }
}

/**
 * Removes a container, running or not; it is gone when this resolves. It polls, because Docker never answers a wait for
 * the removal of a container that is already being removed.
 */
async function removeContainer(container: Docker.Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch(ignoreGone);
  const endMs = performance.now() + removalLimitMs;
  while (await doesExist(container)) {
    if (performance.now() > endMs) {
      throw new Error(`The engine did not remove the container ${container.id} within ${removalLimitMs / 1_000} s.`);
    }
    await sleep(removalPollMs);
  }
}

async function doesExist(container: Docker.Container): Promise<boolean> {
  return container.inspect().then(
    () => true,
    (error: unknown) => {
      if (isGone(error)) return false;
      throw error;
    },
  );
}

function ignoreGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

/** Creates the network of a stack, unless its containers use the host's. */
export async function createNetwork(engine: Docker, { network }: ContainerPlan, stack: string): Promise<void> {
  if (network === 'host') return;
  await engine.createNetwork({ Name: network, Driver: 'bridge', Labels: { [labels.stack]: stack } });
}

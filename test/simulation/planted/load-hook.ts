import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { readImporters, withImporters } from './importers.js';
import { patched } from './plant.js';
import { plantOf, urlWithPlant } from './plant-url.js';
import { plants } from './plants/all.js';

export interface Planting {
  /** Receives the file of each patch that was applied. */
  readonly port: MessagePort;
}

/** The module that runs a seed, with which every trial begins. */
const entry = new URL('../run-seed.js', import.meta.url).href;
const importers = readImporters(entry);
const different = new Map<string, ReadonlySet<string>>();
let planting: Planting | undefined;

/** Called once by Node, in the thread that loads the modules of the trials. */
export function initialize(data: Planting): void {
  planting = data;
}

/**
 * A thread loads a module again for each plant that is in it or in what it imports, and all others only once. So most
 * code stays compiled from plant to plant.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const resolved = await nextResolve(specifier, context);
  const plant = context.parentURL === undefined ? undefined : plantOf(context.parentURL);
  const isDifferent = plant !== undefined && modulesWith(plant).has(resolved.url);
  return isDifferent ? { ...resolved, url: urlWithPlant(resolved.url, plant) } : resolved;
};

/** Returns the modules of the code that a plant makes different. */
function modulesWith(id: string): ReadonlySet<string> {
  const known = different.get(id);
  if (known !== undefined) return known;
  const patches = plants.find((plant) => plant.id === id)?.patches ?? [];
  const modules = [...importers.keys()].filter((url) => patches.some(({ file }) => url.endsWith(`/${file}`)));
  const found = withImporters(modules, importers);
  different.set(id, found);
  return found;
}

/** Loads a file with its patches applied. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const id = url.startsWith('file:') ? plantOf(url) : undefined;
  if (id === undefined) return loaded;
  const path = fileURLToPath(url);
  const patches = plants.find((plant) => plant.id === id)?.patches ?? [];
  const mine = patches.filter(({ file }) => path.endsWith(`/${file}`));
  if (mine.length === 0) return loaded;
  for (const { file } of mine) planting?.port.postMessage(file);
  return { ...loaded, source: mine.reduce(patched, String(loaded.source)) };
};

import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { patched } from './plant.js';
import { plantOf, urlWithPlant } from './plant-url.js';
import { plants } from './plants/all.js';

export interface Planting {
  /** Receives the file of each patch that was applied. */
  readonly port: MessagePort;
}

let planting: Planting | undefined;

/** Called once by Node, in the thread that loads the modules of the trials. */
export function initialize(data: Planting): void {
  planting = data;
}

/**
 * A module that is imported by one with a plant has it too, so a thread loads the code once for each plant, but
 * packages only once.
 */
export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  const resolved = await nextResolve(specifier, context);
  const plant = context.parentURL === undefined ? undefined : plantOf(context.parentURL);
  const isPackage = !resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/');
  return plant === undefined || isPackage ? resolved : { ...resolved, url: urlWithPlant(resolved.url, plant) };
};

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

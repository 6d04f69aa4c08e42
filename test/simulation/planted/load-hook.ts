import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { type Patch, patched } from './plant.js';

export interface Planting {
  readonly patches: readonly Patch[];
  /** Receives the file of each patch that was applied. */
  readonly port: MessagePort;
}

let planting: Planting | undefined;

/** Called once by Node, in the thread that loads the modules of one simulation. */
export function initialize(data: Planting): void {
  planting = data;
}

/** Loads a file with its patches applied. */
export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  const mine = planting?.patches.filter(({ file }) => path.endsWith(`/${file}`)) ?? [];
  if (mine.length === 0) return loaded;
  let text = String(loaded.source);
  for (const patch of mine) {
    text = patched(text, patch);
    planting?.port.postMessage(patch.file);
  }
  return { ...loaded, source: text };
};

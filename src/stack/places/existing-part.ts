import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The path itself or its nearest ancestor that exists and may be looked at. */
export async function existingPart(path: string): Promise<string> {
  const entry = await stat(path).catch(() => undefined);
  return entry !== undefined || dirname(path) === path ? path : existingPart(dirname(path));
}

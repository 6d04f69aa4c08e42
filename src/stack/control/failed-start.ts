import { rm } from 'node:fs/promises';
import { type Static, Type } from '@sinclair/typebox';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import type { StackError } from '../error.js';
import type { Layout } from '../layout.js';

const FailedStart = Type.Object({
  at: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
});

/** The last start of a stack that stopped again because a service failed: when it began, and what it said. */
export type FailedStart = Static<typeof FailedStart>;

type FailedFile = Pick<Layout, 'failedStart'>;

/**
 * Keeps the failure of a start, whose supervisor ends. The next start forgets it, and so does a reset or restore. If it
 * cannot be written, which the failure itself may explain, the failure is only thrown.
 */
export async function keepFailedStart({ failedStart }: FailedFile, error: StackError, at: string): Promise<void> {
  const { message, hint } = error;
  await writeJsonFile(failedStart, { at, message, ...(hint !== undefined && { hint }) }).catch(() => undefined);
}

/** The failure of the last start; an unreadable file counts as none, since the logs have it too. */
export function readFailedStart({ failedStart }: FailedFile): Promise<FailedStart | undefined> {
  return readJsonFile(failedStart, FailedStart).catch(() => undefined);
}

export async function forgetFailedStart({ failedStart }: FailedFile): Promise<void> {
  await rm(failedStart, { force: true });
}

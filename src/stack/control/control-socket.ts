import { constants } from 'node:fs';
import { access, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Type } from '@sinclair/typebox';
import { isErrno, readJsonFile } from '../../supervisor/files/json-file.js';
import { maxSocketPathBytes, parentProblem, socketProblem } from '../../supervisor/control/own-socket.js';
import { StackError } from '../error.js';
import { existingPart } from '../places/existing-part.js';
import type { Layout } from '../layout.js';

const Recorded = Type.Object({ socket: Type.String() });

/**
 * The socket paths of a stack's supervisor: the one in the plan it was started with, possibly by another environment or
 * an earlier version, then the one of this environment. Each is safe to connect to: it is in a private directory and
 * belongs to this user.
 *
 * @throws StackError CONTROL_NOT_PRIVATE if the one of this environment is not safe
 */
export async function controlSockets(layout: Layout): Promise<string[]> {
  const recorded = await recordedSocket(layout);
  if (recorded === layout.socket) return isTooLong(recorded) ? [] : [await requirePrivate(layout)];
  // An abandoned path may belong to another user by now; then no supervisor of this user is there.
  const earlier = recorded !== undefined && (await isSafe(recorded)) ? [recorded] : [];
  return isTooLong(layout.socket) ? earlier : [...earlier, await requirePrivate(layout)];
}

/**
 * Checks before a start that the control socket of this environment can be created.
 *
 * @throws StackError CONTROL_NOT_PRIVATE, PATH_TOO_LONG, PREREQUISITE
 */
export async function requireSocketPlace(layout: Layout): Promise<void> {
  if (isTooLong(layout.socket)) {
    const bytes = Buffer.byteLength(layout.socket);
    const message = `The path of the control socket has ${bytes} bytes, at most ${maxSocketPathBytes} are possible`;
    throw new StackError('PATH_TOO_LONG', `${message}: ${layout.socket}`, {
      hint: isBelowHome(layout)
        ? 'Set STACK_HOME to a directory with a shorter path, or XDG_RUNTIME_DIR to one of yours.'
        : 'Set XDG_RUNTIME_DIR to a directory with a shorter path, or unset it: the socket is below STACK_HOME then.',
      details: { path: layout.socket, maxBytes: maxSocketPathBytes },
    });
  }
  await requirePrivate(layout);
  await requireWritable(layout);
}

/** Removes the socket of a killed supervisor, if its directory is private. */
export async function removeSocket(socket: string): Promise<void> {
  if (!(await isSafe(socket))) return;
  await unlink(socket).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}

/** The socket path in the plan of the last start. */
export async function recordedSocket({ plan }: Layout): Promise<string | undefined> {
  // An unreadable plan is ignored.
  return (await readJsonFile(plan, Recorded).catch(() => undefined))?.socket;
}

async function requirePrivate(layout: Layout): Promise<string> {
  const { socket } = layout;
  const parent = dirname(dirname(socket));
  // A user who controls the parent of the stack's own directory needs no socket to take it over.
  const problem = (isBelowHome(layout) ? undefined : await parentProblem(parent)) ?? (await socketProblem(socket));
  if (problem === undefined) return socket;
  throw new StackError('CONTROL_NOT_PRIVATE', `${problem}: another user could answer in place of the stack.`, {
    hint: 'Remove it, make it private (chmod 700), or set XDG_RUNTIME_DIR or STACK_HOME to a directory of yours.',
    details: { path: socket },
  });
}

const reasons = new Map([
  ['ENOTDIR', 'it is not a directory'],
  ['EROFS', 'its file system is read-only'],
]);

/** Checks that the directory of a socket can be created or written. @throws StackError PREREQUISITE */
async function requireWritable(layout: Layout): Promise<void> {
  const directory = dirname(layout.socket);
  const existing = await existingPart(directory);
  try {
    await access(`${existing}/.`, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = [...reasons].find(([code]) => isErrno(cause, code))?.[1] ?? 'permission denied';
    throw new StackError(
      'PREREQUISITE',
      `The control socket cannot be created in ${directory} (${existing}: ${reason}).`,
      {
        hint: isBelowHome(layout)
          ? 'Set STACK_HOME or XDG_RUNTIME_DIR to a directory of yours.'
          : 'Set XDG_RUNTIME_DIR to a directory of yours, or unset it: the socket is below STACK_HOME then.',
        details: { path: directory },
        cause,
      },
    );
  }
}

async function isSafe(socket: string): Promise<boolean> {
  return !isTooLong(socket) && (await socketProblem(socket).catch(() => 'unreadable')) === undefined;
}

function isTooLong(socket: string): boolean {
  return Buffer.byteLength(socket) > maxSocketPathBytes;
}

function isBelowHome({ directory, socket }: Layout): boolean {
  return directory.startsWith(`${dirname(dirname(socket))}/`);
}

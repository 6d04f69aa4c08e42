import { type ChildProcess, fork, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Layout, packageFile } from '../layout.js';
import { StackError } from '../error.js';
import { type Control, controlAt } from './control.js';

/** The process of a supervisor that has no plan yet. It ends with this process unless `begin` was called. */
export interface WaitingSupervisor {
  /**
   * Makes it carry out the plan in the stack's file, detached from this process; resolves when it responds.
   *
   * @throws StackError START_FAILED with its reason
   */
  begin(): Promise<Control>;
  /** Ends the process instead of `begin`. */
  dismiss(): void;
}

/** Starts the process of a stack's supervisor, detached from the terminal. It loads while the plan is being written. */
export function forkSupervisor(layout: Layout, environment: Readonly<Record<string, string>>): WaitingSupervisor {
  mkdirSync(layout.logs, { recursive: true, mode: 0o700 });
  const output = openSync(join(layout.logs, 'supervisor.err'), 'a', 0o600);
  const child = spawn(process.execPath, [packageFile('bin/supervisor.js'), layout.plan], {
    detached: true,
    cwd: '/',
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...environment },
  });
  closeSync(output);
  const ready = readyOf(child, `Its log is ${join(layout.logs, 'supervisor.ndjson')}.`);
  // It may fail before `begin` is called, which then reports it.
  ready.catch(() => undefined);
  return {
    async begin() {
      // This fails if the process has ended; `ready` has the reason.
      child.send({ type: 'begin' }, () => undefined);
      await ready;
      child.disconnect();
      child.unref();
      return controlAt(layout.socket);
    },
    dismiss() {
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
}

const ForkMessage = Type.Union([
  Type.Object({ type: Type.Literal('ready') }),
  Type.Object({ type: Type.Literal('failed'), message: Type.String() }),
]);

function readyOf(child: ChildProcess, hint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => {
      reject(new StackError('START_FAILED', `The supervisor did not start: ${message}`, { hint }));
    };
    child.on('message', (message) => {
      if (!Value.Check(ForkMessage, message)) return;
      if (message.type === 'ready') resolve();
      else fail(message.message);
    });
    child.once('error', (error) => {
      fail(error.message);
    });
    child.once('exit', (code, signal) => {
      fail(`it ended with ${signal ?? `code ${code}`}.`);
    });
  });
}

const TaskFailure = Type.Object({ type: Type.Literal('failed'), message: Type.String() });

/** Runs a task in a child process; resolves with the problem if it has failed. */
export async function runTask(name: string, configFile: string): Promise<string | undefined> {
  const child = fork(packageFile('bin/task.js'), [name, configFile], { stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });
  let problem: string | undefined;
  child.on('message', (message) => {
    if (Value.Check(TaskFailure, message)) problem = message.message;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0 ? undefined : (problem ?? `it ended with code ${code ?? 'none'}`)));
  });
}

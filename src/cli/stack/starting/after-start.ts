import { resolve } from 'node:path';
import { packageFile } from '../../../stack/layout.js';
import { beginSeeds, seedsApplied } from '../../../stack/places/open-seeds.js';
import type { Stack } from '../../../stack/places/locate.js';
import { startJob } from '../../child.js';
import { CliError, exitCodes, exitNameOf } from '../../errors/exit.js';
import { jobEnvironment } from '../../run/command.js';
import type { CommandContext } from '../../requests/target.js';
import { safe } from '../../terminal/text.js';

/** The variables of `stack env`. */
type Variables = Readonly<Record<string, string>>;

const hookMs = 60_000;
const seedMs = 600_000;

/**
 * Applies the seeds of a stack that is ready, then runs its hooks.
 *
 * @throws CliError with the exit code of a seed that fails, UNHEALTHY for a hook
 */
export async function afterStart(started: StartedStack, context: CommandContext): Promise<void> {
  const { stack, env, directory, hasHooks = true, staysUp = true } = started;
  const { seed, hooks } = stack.settings;
  const state = staysUp ? ' The stack is up.' : '';
  if (seed.length > 0) await applySeeds(started, state, context);
  if (hasHooks) await runHooks(hooks.ready, { name: stack.name, directory, env, when: 'ready', state }, context);
}

export interface StartedStack {
  readonly stack: Pick<Stack, 'name' | 'settings' | 'layout'>;
  readonly env: Variables;
  /** The directory that paths of the definition are relative to. */
  readonly directory: string;
  readonly hasHooks?: boolean;
  /** Whether the stack keeps running if a seed or a hook fails. Default: true. */
  readonly staysUp?: boolean;
}

async function applySeeds(
  { stack, env, directory }: StartedStack,
  state: string,
  context: CommandContext,
): Promise<void> {
  const { output, program } = context;
  const { seed } = stack.settings;
  const files = seed.map((path) => resolve(directory, path));
  if (!output.isJson) await output.note(`Seeds: ${safe(seed.join(', '))}`);
  await beginSeeds(stack.layout);
  const command = [process.execPath, packageFile('bin/run.js'), 'seed', ...files, '-s', stack.name, '--quiet'];
  const exitCode = await runAside(command, env, { directory: process.cwd(), limitMs: seedMs }, context);
  if (exitCode === 0) return seedsApplied(stack.layout);
  const code = exitCode ?? exitCodes.TIMEOUT;
  throw new CliError(exitNameOf(code), `A seed of ${stack.name} ended with ${code}.${state}`, {
    exitCode: code,
    ...(state !== '' && {
      hint: `Correct the seed. To apply the remaining steps: ${program} start ${stack.name}`,
    }),
    details: { seed },
  });
}

export interface HookContext {
  /** The name of the stack. */
  readonly name: string;
  readonly directory: string;
  readonly env: Variables;
  readonly when: 'ready' | 'stop';
  /** A sentence about the stack, for the error of a hook. */
  readonly state: string;
}

/**
 * Runs command lines one after the other, in the directory of the definition and with the variables of the stack. Each
 * is printed first.
 *
 * @throws CliError UNHEALTHY if one fails or takes longer than 60 s
 */
export async function runHooks(
  lines: readonly string[],
  { name, directory, env, when, state }: HookContext,
  context: CommandContext,
): Promise<void> {
  const { output, program } = context;
  // A start does not repeat the hooks of a running stack, so the hint names restart.
  const hint =
    when === 'stop' || state === ''
      ? undefined
      : `Correct hooks.ready in stack.yaml. To run the hooks again: ${program} restart ${name}`;
  for (const line of lines) {
    await output.note(`Hook (${when}): ${safe(line)}`);
    const exitCode = await runAside(['/bin/sh', '-c', line], env, { directory, limitMs: hookMs }, context);
    if (exitCode === 0) continue;
    const how = exitCode === undefined ? `did not end within ${hookMs / 1_000} s` : `ended with ${exitCode}`;
    throw new CliError('UNHEALTHY', `The hook "${line}" of ${name} ${how}.${state}`, {
      details: { hook: line, when, exitCode: exitCode ?? null },
      ...(hint !== undefined && { hint }),
    });
  }
}

/** Runs a command with its output on stderr. Resolves with the exit code; undefined if it was killed at the limit. */
async function runAside(
  command: readonly string[],
  env: Variables,
  { directory, limitMs }: { readonly directory: string; readonly limitMs: number },
  { environment }: CommandContext,
): Promise<number | undefined> {
  const job = await startJob(command, {
    environment: jobEnvironment(environment, env),
    hasOwnGroup: true,
    writesToStderr: true,
    directory,
  });
  let isKilled = false;
  const limit = setTimeout(() => {
    isKilled = true;
    job.kill('SIGKILL');
  }, limitMs);
  const end = () => {
    job.kill('SIGKILL');
  };
  process.once('exit', end);
  try {
    const exitCode = await job.ended;
    return isKilled ? undefined : exitCode;
  } finally {
    clearTimeout(limit);
    process.off('exit', end);
  }
}

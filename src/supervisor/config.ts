import { readFile } from 'node:fs/promises';
import { type Plan, parsePlan } from './plan.js';

export interface SupervisorConfig {
  readonly plan: Plan;
  /** What children get to see of ours. */
  readonly environment: Readonly<Record<string, string>>;
  readonly failpoints: string | undefined;
}

/** Whatever else a shell may hold, tokens above all, is none of a service's business (assurance S20). */
const passedOn = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'NODE_V8_COVERAGE'];
const failpointVariable = 'PARLEY_FAILPOINT';

/**
 * The plan that this process is to run, and its settings from the environment.
 *
 * @throws Error when the plan cannot be read or is not as it must be
 */
export async function readConfig(planFile: string | undefined): Promise<SupervisorConfig> {
  if (planFile === undefined) throw new Error('The supervisor needs the path of a plan as its only argument.');
  const plan = parsePlan(await readFile(planFile, 'utf8'));
  const names = [...passedOn, failpointVariable];
  const entries = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { plan, environment: Object.fromEntries(entries), failpoints: process.env[failpointVariable] };
}

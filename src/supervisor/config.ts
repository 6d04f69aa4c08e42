import { readFile } from 'node:fs/promises';
import { failpointVariable, passedOnFrom } from './environment.js';
import { type Plan, parsePlan } from './plan.js';

export interface SupervisorConfig {
  readonly plan: Plan;
  /** What children get to see of ours. */
  readonly environment: Readonly<Record<string, string>>;
  readonly failpoints: string | undefined;
}

/**
 * The plan that this process is to run, and its settings from the environment.
 *
 * @throws Error when the plan cannot be read or is not as it must be
 */
export async function readConfig(planFile: string | undefined): Promise<SupervisorConfig> {
  if (planFile === undefined) throw new Error('The supervisor needs the path of a plan as its only argument.');
  const plan = parsePlan(await readFile(planFile, 'utf8'));
  return { plan, environment: passedOnFrom(process.env), failpoints: process.env[failpointVariable] };
}

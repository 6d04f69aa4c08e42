import { readFile } from 'node:fs/promises';
import { failpointVariable, passedOnFrom } from './machine/environment.js';
import { type Plan, parsePlan } from './plan.js';

export interface SupervisorConfig {
  readonly plan: Plan;
  /** Reads the plan file again. */
  readonly readPlan: () => Promise<Plan>;
  /** The environment of child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly failpoints: string | undefined;
}

/**
 * Reads the plan to run, and the settings from the environment.
 *
 * @throws Error if the plan cannot be read or is invalid
 */
export async function readConfig(planFile: string | undefined): Promise<SupervisorConfig> {
  if (planFile === undefined) throw new Error('The supervisor needs the path of a plan as its only argument.');
  const readPlan = async (): Promise<Plan> => parsePlan(await readFile(planFile, 'utf8'));
  return {
    plan: await readPlan(),
    readPlan,
    environment: passedOnFrom(process.env),
    failpoints: process.env[failpointVariable],
  };
}

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Identity } from '../../supervisor/machine/identity.js';
import { InvalidFileError, readJsonFile } from '../../supervisor/files/json-file.js';
import { Plan, type Spec } from '../../supervisor/plan.js';
import { StackError } from '../error.js';
import type { Layout } from '../layout.js';

/** Facts of a start that are not in the definition. */
export interface RunningPlan {
  /** The host of the nodes' APIs; undefined if there is no node, or they are in containers. */
  readonly host: string | undefined;
  /** The certificate files of the nodes that speak TLS, by party. */
  readonly certificates: ReadonlyMap<string, string>;
  /** Parties whose nodes the user runs. */
  readonly external: readonly string[];
  /** The owner process of a temporary stack. */
  readonly owner: Identity | undefined;
}

const Listening = Type.Object({ host: Type.String() });

/** Reads the plan of a stack's supervisor; undefined before the first start. @throws StackError STATE_INVALID */
export async function readPlan({ plan }: Pick<Layout, 'plan'>): Promise<Plan | undefined> {
  try {
    return await readJsonFile(plan, Plan);
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new StackError('STATE_INVALID', cause.message, { hint: 'Write it again: stack restart', cause });
  }
}

/** Reads facts that are only in the plan of a stack's supervisor. @throws StackError STATE_INVALID */
export async function readRunningPlan(layout: Pick<Layout, 'plan'>): Promise<RunningPlan> {
  const plan = await readPlan(layout);
  const node = plan?.services.find(({ kind }) => kind === 'node')?.config.value;
  return {
    host: Value.Check(Listening, node) && plan?.containers === undefined ? node.host : undefined,
    certificates: new Map((plan?.services ?? []).flatMap(certificateOf)),
    external: plan?.external ?? [],
    owner: plan?.lease?.owner,
  };
}

function certificateOf(spec: Spec): (readonly [party: string, file: string])[] {
  const file = spec.type === 'service' ? spec.health.certificateFile : undefined;
  return file === undefined ? [] : [[spec.name, file]];
}

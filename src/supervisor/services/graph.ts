import type { Condition, Plan, Spec } from '../plan.js';
import type { ServiceState } from '../control/view.js';

const satisfying: Record<Condition, ReadonlySet<ServiceState>> = {
  started: new Set(['starting', 'healthy', 'unhealthy', 'paused', 'completed']),
  healthy: new Set(['healthy']),
  completed: new Set(['completed']),
};

/**
 * Checks that a plan can be carried out: no duplicate name, no condition on an unknown name, no cycle.
 *
 * @throws Error naming the services concerned
 */
export function checkGraph(plan: Plan): void {
  const names = plan.services.map((spec) => spec.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`The plan names ${repeated} twice.`);
  for (const spec of plan.services) {
    const missing = spec.after.find(({ name }) => !names.includes(name));
    if (missing !== undefined) throw new Error(`${spec.name} waits for ${missing.name}, which the plan does not have.`);
  }
  depths(plan);
}

/** Whether all conditions for the start of a service hold. */
export function isStartable(spec: Spec, stateOf: (name: string) => ServiceState): boolean {
  return spec.after.every(({ name, condition }) => satisfying[condition].has(stateOf(name)));
}

/**
 * The names in the order of stopping: each group is stopped together, once the groups before it are gone. A service
 * stops after its dependents; otherwise kinds stop one after the other, the last of the plan first.
 */
export function stopGroups(plan: Plan): string[][] {
  const depth = depths(plan);
  const ordered = plan.services
    .map((spec, index) => ({ spec, index, depth: depth.get(spec.name) ?? 0 }))
    .sort((a, b) => b.depth - a.depth || b.index - a.index);
  const groups: { key: string; names: string[] }[] = [];
  for (const entry of ordered) {
    const key = `${entry.depth} ${entry.spec.kind}`;
    const last = groups.at(-1);
    if (last?.key === key) last.names.push(entry.spec.name);
    else groups.push({ key, names: [entry.spec.name] });
  }
  return groups.map(({ names }) => names);
}

function depths(plan: Plan): Map<string, number> {
  const specs = new Map(plan.services.map((spec) => [spec.name, spec]));
  const known = new Map<string, number>();
  const visit = (name: string, path: readonly string[]): number => {
    if (path.includes(name))
      throw new Error(`The conditions of the plan form a cycle: ${[...path, name].join(' → ')}.`);
    const found = known.get(name);
    if (found !== undefined) return found;
    const below = specs.get(name)?.after.map((after) => visit(after.name, [...path, name])) ?? [];
    const depth = below.length === 0 ? 0 : Math.max(...below) + 1;
    known.set(name, depth);
    return depth;
  };
  for (const name of specs.keys()) visit(name, []);
  return known;
}

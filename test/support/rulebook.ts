import { currentRules, type NetworkRules } from '../../src/domain/network/network-rules.js';
import type { Rulebook } from '../../src/pipeline/state/rulebook.js';

export function rulebookOf(rules: NetworkRules = currentRules): Rulebook {
  return { rules: async () => rules, find: async () => rules, refresh: async () => undefined, stop: () => undefined };
}

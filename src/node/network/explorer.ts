import type { Authentication } from '../../http/access/auth.js';
import type { Database } from '../../ports/database.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import type { Access } from '../requests/access.js';
import type { NodeConfig } from '../config.js';
import { openLaterParties } from './later-parties.js';
import { createStackView, type StackView } from './stack-view.js';
import { createExplorer, type ExplorerFiles } from '../ui.js';

interface ExplorerParts {
  readonly config: Pick<NodeConfig, 'organization' | 'node' | 'laterParties'> &
    Partial<Pick<NodeConfig, 'explorers' | 'stack' | 'stackView'>>;
  readonly ports: { readonly database: Database; readonly random: Random; readonly log: Log };
  readonly authentication?: Authentication | undefined;
  readonly explorer?: ExplorerFiles | undefined;
}

/** Creates the explorer of a node. */
export function explorerOf(
  { config, ports, authentication, explorer }: ExplorerParts,
  { version, access }: { readonly version: string; readonly access: Access },
) {
  const { organization, node, stack: name, explorers = [] } = config;
  const facts = {
    party: organization,
    node,
    version,
    ...(name !== undefined && { stack: name }),
    auth: authentication !== undefined,
  };
  // With authentication each party sees only its own node.
  const stack = authentication === undefined ? stackViewOf(config, ports) : undefined;
  const later = openLaterParties(config, ports.log);
  return createExplorer({
    built: explorer,
    access,
    random: ports.random,
    config: facts,
    stack,
    async parties(joins) {
      const known = [...explorers, ...later().map(({ name, url }) => ({ name, url }))];
      // Only the supervisor knows addresses that the system has chosen.
      const running = joins ? ((await stack?.explorers()) ?? []) : [];
      return [...known, ...running.filter(({ name }) => !known.some((party) => party.name === name))];
    },
  });
}

/** Undefined without a stack. */
function stackViewOf(
  { stackView }: ExplorerParts['config'],
  { database }: ExplorerParts['ports'],
): StackView | undefined {
  return stackView === undefined ? undefined : createStackView({ ...stackView, database });
}

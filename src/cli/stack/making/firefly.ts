import type { FlagsOf } from '../../flag-types.js';
import type { initFlags } from './flags.js';
import { partyNames } from '../../../stack/create.js';
import type { StackSettings } from '../../../stack/definition/definition.js';
import type { Setting } from '../../../stack/definition/render.js';

/**
 * The settings for `--firefly`: the profile of FireFly and the defaults of its command line, so that its tutorials and
 * scripts work unchanged. Explicit names and ports are kept. The number of parties, and whether there are tokens, come
 * from the template.
 */
export function fireflySettings(
  { parties, 'port-base': portBase }: Pick<FlagsOf<typeof initFlags>, 'parties' | 'port-base'>,
  template: Pick<StackSettings, 'parties' | 'tokens'>,
): Setting[] {
  const setting = (path: string, value: string): Setting => ({ path: path.split('.'), value });
  const isNamed = parties !== undefined && !/^\d+$/.test(parties);
  const count = parties ?? String(template.parties.length);
  const members = isNamed
    ? []
    : partyNames(count).map((name, index) => `{name: ${name}, org: org_${index}, node: node_${index}}`);
  return [
    setting('profile', 'firefly'),
    setting('chain.chainId', '2021'),
    ...(isNamed ? [] : [setting('parties', `[${members.join(', ')}]`)]),
    ...(portBase === undefined ? [setting('ports.base', '5100'), setting('ports.nodes', '5000')] : []),
    ...(template.tokens.connectors.length === 0
      ? []
      : [setting('tokens.connectors', '[{name: erc20_erc721}, {name: erc1155}]')]),
  ];
}

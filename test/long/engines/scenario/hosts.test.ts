import { isNetworkRoot } from '../../../e2e/fixtures/hosts.js';
import { networkOfHosts } from './network-of-hosts.js';
import { describeScenario } from './on-network.js';

describeScenario({
  on: 'two hosts whose link is cut',
  needs: 'root, for network namespaces',
  isSkipped: !isNetworkRoot,
  isExtra: true,
  start: networkOfHosts,
});

import { hasNoGeth } from '../../../support/geth.js';
import { describeScenario } from './on-network.js';
import { aStack, onGeth } from './stack-networks.js';

describeScenario({
  on: 'geth, a block each second, three confirmations',
  needs: 'geth',
  isSkipped: hasNoGeth,
  isExtra: true,
  start: () => aStack(onGeth),
});

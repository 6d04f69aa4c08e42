import { hasNoKubo } from '../../../support/kubo.js';
import { describeScenario } from './on-network.js';
import { aStack, onKubo } from './stack-networks.js';

describeScenario({ on: 'Kubo', needs: 'kubo', isSkipped: hasNoKubo, isExtra: true, start: () => aStack(onKubo) });

import { describeScenario } from './on-network.js';
import { aStack } from './stack-networks.js';

describeScenario({ on: 'its own engines', start: () => aStack() });
